"""What builds the product but is no part of it: generators and the benchmark."""
