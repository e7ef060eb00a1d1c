"""``python -m burnside``."""

from burnside.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
