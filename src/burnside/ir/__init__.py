"""The sequential model: nodes, checker, printer and meaning."""
