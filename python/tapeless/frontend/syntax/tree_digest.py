"""A digest of the types of arguments, with their structures and the values that choose code in them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tapeless.frontend.syntax import fingerprint
from tapeless.trees import Static, items_of, node_of

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source


def tree_digest(reader: Source, tree: Any) -> str:
    """The digest of a tree of types, which are those of the arguments of a function."""
    digest = hashlib.sha256()
    _add_tree(digest, reader, tree, fingerprint.Seen())
    return digest.hexdigest()


def _add_tree(digest: Any, reader: Source, tree: Any, seen: fingerprint.Seen) -> None:
    node = node_of(tree)
    if node is not None:
        fingerprint.add_node(digest, reader, node, len(items_of(tree)), seen)
        for item in items_of(tree):
            _add_tree(digest, reader, item, seen)
    elif isinstance(tree, Static):
        fingerprint.add_value(digest, reader, tree.value, seen)
    else:
        fingerprint.add(digest, "type", repr(tree))
