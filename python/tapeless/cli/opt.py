"""`tapeless-opt`: runs passes on IR, with the flags of mlir-opt."""

from __future__ import annotations

import sys

import click


@click.command("tapeless-opt", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("source", default="-")
@click.option("--pass-pipeline")
def main(source: str, pass_pipeline: str | None) -> None:
    from tapeless.passes.pipeline import PassPipeline

    from tapeless.optimizer.driver import optimize
    from tapeless.optimizer.settings import Settings
    from tapeless.optimizer.source import Source
    pl = PassPipeline.parse(pass_pipeline) if pass_pipeline else PassPipeline(())
    out = optimize(Source.read(source), Settings(pipeline=pl), sys.stderr)
    sys.stdout.buffer.write(out.output)
    sys.exit(0 if out.succeeded else 1)
