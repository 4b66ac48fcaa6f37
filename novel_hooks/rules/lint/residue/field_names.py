"""Field names that agents see in packets and schemas, such as `plot_logic`: in a chapter they are residue.

Another word with an underscore may be a user's name, or a program's. Source: craft notes §2, number 48.
"""

from __future__ import annotations

_OF_A_NOVEL = (
    "chapters?|storylines?|foreshadowing|characters?|plot|pov|outline|summary|summaries|scenes?|narrative|arc"
    "|dialogue|contracts|lore|conflict|emotion|emotional|pacing|immersion|leak|planted|fixes|violations?"
    "|objectives?|paragraph|beats?|rubric"
)
_ALONE = (
    "world_rules?|world_docs|world_pages|world_state|current_state|concurrent_state|state_changes|(?:base_)?state_version"
    "|hard_rules_list|required_world_rules|risk_flags|overall_final|transition_hint|acceptance_criteria"
    "|cross_references|unknown_entities|suggested_type|display_name|no_change|affiliated_factions|constraint_type"
    "|convergence_condition|convergence_events|interleaving_pattern|newly_activated|shared_events|time_marker"
    "|ongoing_events|project_brief|ai_blacklist(?:_top10)?|writing_methodology|lint_report|l[123s]_checks"
    "|update_requires|valid_until|last_verified|pending_actions|author_decisions|previous_problems"
    "|previous_volume_review|style_(?:naturalness|profile|guide|samples|facts)|sentence_length|entity_id_map|target_resolve_range|rule_id"
    "|contract_(?:id|verification)|volume_role|brief_template|stop_after|goes_as|previous_text"
    "|line_text|called_by|previous_output|volume_wishes|author_notes"
)
OURS = (
    "(?<![A-Za-z0-9_名叫号户@./])(?:"
    f"(?:[a-z][a-z0-9]*_|[0-9]_)+(?:{_OF_A_NOVEL})(?:_[a-z0-9]+)*|(?:{_OF_A_NOVEL})(?:_[a-z0-9]+)+|{_ALONE}"
    ")(?![A-Za-z0-9_@])"
)
