"""`python -m tapeless`: the command `tapeless`."""

from tapeless.cli.main import main

if __name__ == "__main__":
    main(prog_name="tapeless")
