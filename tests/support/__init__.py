"""What several tests share: random models, groups, words and texts, and judges that look at everything."""
