"""One foreshadowing thread, and all of them: facts, plan, tasks, replay."""
