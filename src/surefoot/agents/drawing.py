"""A compiled graph as an SVG picture: layers from the start down, drawn without network, browser or chance.

The method is Sugiyama's (1981): turn the edges round that close a cycle, lay the nodes out in layers by longest
path, let long edges pass through a point of their own in each layer, and sort each layer by the median of its
neighbours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from statistics import median
from typing import Any

NODE_WIDTH, NODE_HEIGHT = 104, 34
POINT_WIDTH = 18
GAP, LAYER_GAP, MARGIN = 22, 62, 24
SWEEPS = 24
NAMES = {"__start__": "start", "__end__": "end"}

STYLE = """
  text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #1c2330 }
  rect { fill: #eef2fb; stroke: #5a6b8c }
  .end { fill: #dfe5ef }
  path { fill: none; stroke: #5a6b8c; stroke-width: 1.2; marker-end: url(#tip) }
  .choice { stroke-dasharray: 5 3 }
  .back { stroke: #b0603a; marker-end: url(#back-tip) }
"""

Edge = tuple[str, str]


@dataclass(frozen=True)
class Box:
    """Where a node or a passing point lies: its centre and its width, in pixels."""

    x: float
    y: float
    width: float


def to_svg(graph: Any) -> str:
    """Return the picture of a compiled LangGraph graph: dashed for conditional edges, brown for those that go back."""
    drawn = graph.get_graph()
    edges = {(edge.source, edge.target): bool(edge.conditional) for edge in drawn.edges if edge.source != edge.target}
    return draw(list(drawn.nodes), edges)


def draw(nodes: Sequence[str], edges: Mapping[Edge, bool]) -> str:
    """Return the picture of a graph; ``edges`` says which are conditional, the first node is the start."""
    turned = _closing(nodes, edges)
    downward = {edge: edge[::-1] if edge in turned else edge for edge in sorted(edges)}
    layers, chains = _with_points(nodes, downward, _depths(nodes, downward.values()))
    boxes = _placed(_sorted(layers, chains.values()))
    width = max(box.x + box.width / 2 for box in boxes.values()) + MARGIN
    height = max(box.y for box in boxes.values()) + NODE_HEIGHT / 2 + MARGIN
    ports = _ports(chains, boxes)
    body = [_edge(edges[edge], edge in turned, _way(edge, chains[edge], boxes, ports)) for edge in chains]
    body += [_node(name, boxes[name]) for name in nodes]
    return _page(width, height, body)


def _closing(nodes: Sequence[str], edges: Iterable[Edge]) -> set[Edge]:
    """Return the edges that lead back to a node on the path from the start: without them there is no cycle."""
    after: dict[str, list[str]] = {name: sorted(b for a, b in edges if a == name) for name in nodes}
    done: set[str] = set()
    closing: set[Edge] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        for other in after[name]:
            if other in path:
                closing.add((name, other))
            elif other not in done:
                visit(other, (*path, other))
        done.add(name)

    for name in nodes:
        if name not in done:
            visit(name, (name,))
    return closing


def _depths(nodes: Sequence[str], downward: Iterable[Edge]) -> dict[str, int]:
    depth, edges = dict.fromkeys(nodes, 0), list(downward)
    for _ in nodes:
        for a, b in edges:
            depth[b] = max(depth[b], depth[a] + 1)
    return depth


def _with_points(
    nodes: Sequence[str], downward: Mapping[Edge, Edge], depth: Mapping[str, int]
) -> tuple[list[list[str]], dict[Edge, list[str]]]:
    """Return the layers, passing points included, and the way of each edge from its upper to its lower end."""
    layers: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for name in nodes:
        layers[depth[name]].append(name)
    chains: dict[Edge, list[str]] = {}
    for edge, (upper, lower) in downward.items():
        points = [f"{edge[0]}>{edge[1]}@{level}" for level in range(depth[upper] + 1, depth[lower])]
        for level, point in enumerate(points, depth[upper] + 1):
            layers[level].append(point)
        chains[edge] = [upper, *points, lower]
    return layers, chains


def _sorted(layers: list[list[str]], chains: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the layers in the order with the fewest crossings that the sweeps met."""
    above: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    for chain in chains:
        for a, b in pairwise(chain):
            above.setdefault(b, []).append(a)
            below.setdefault(a, []).append(b)
    best, fewest = layers, _crossings(layers, below)
    current = layers
    for sweep in range(SWEEPS):
        current = _swept(current, above) if sweep % 2 == 0 else _swept(current[::-1], below)[::-1]
        crossings = _crossings(current, below)
        if crossings < fewest:
            best, fewest = current, crossings
    return best


def _swept(layers: Sequence[list[str]], neighbours: Mapping[str, Sequence[str]]) -> list[list[str]]:
    swept = [list(layers[0])]
    for layer in layers[1:]:
        at = {name: index for index, name in enumerate(swept[-1])}
        before = {name: index for index, name in enumerate(layer)}

        def rank(name: str, at: dict[str, int] = at, before: dict[str, int] = before) -> tuple[float, int]:
            near = [at[other] for other in neighbours.get(name, ()) if other in at]
            return (median(near) if near else before[name], before[name])

        swept.append(sorted(layer, key=rank))
    return swept


def _crossings(layers: Sequence[Sequence[str]], below: Mapping[str, Sequence[str]]) -> int:
    count = 0
    for upper, lower in pairwise(layers):
        at = {name: index for index, name in enumerate(lower)}
        ends = [(i, at[b]) for i, a in enumerate(upper) for b in below.get(a, ()) if b in at]
        count += sum(1 for i, (a, b) in enumerate(ends) for c, d in ends[i + 1 :] if (a - c) * (b - d) < 0)
    return count


def _placed(layers: Sequence[Sequence[str]]) -> dict[str, Box]:
    widths = [[POINT_WIDTH if "@" in name else NODE_WIDTH for name in layer] for layer in layers]
    totals = [sum(row) + GAP * (len(row) - 1) for row in widths]
    boxes: dict[str, Box] = {}
    for level, (layer, row, total) in enumerate(zip(layers, widths, totals, strict=True)):
        left = MARGIN + (max(totals) - total) / 2
        for name, width in zip(layer, row, strict=True):
            boxes[name] = Box(left + width / 2, MARGIN + NODE_HEIGHT / 2 + level * (NODE_HEIGHT + LAYER_GAP), width)
            left += width + GAP
    return boxes


def _ports(chains: Mapping[Edge, Sequence[str]], boxes: Mapping[str, Box]) -> dict[tuple[str, Edge], float]:
    """Return where on its nodes each edge begins and ends: side by side, in the order of where it comes from."""
    sides: dict[tuple[str, bool], list[tuple[float, Edge]]] = {}
    for edge, chain in chains.items():
        sides.setdefault((chain[0], True), []).append((boxes[chain[1]].x, edge))
        sides.setdefault((chain[-1], False), []).append((boxes[chain[-2]].x, edge))
    ports: dict[tuple[str, Edge], float] = {}
    for (name, _), ends in sides.items():
        for index, (_, edge) in enumerate(sorted(ends), 1):
            ports[name, edge] = boxes[name].x + boxes[name].width * (index / (len(ends) + 1) - 0.5)
    return ports


def _way(
    edge: Edge, chain: Sequence[str], boxes: Mapping[str, Box], ports: Mapping[tuple[str, Edge], float]
) -> list[tuple[float, float]]:
    first, last = boxes[chain[0]], boxes[chain[-1]]
    between = [(boxes[point].x, boxes[point].y) for point in chain[1:-1]]
    begin = (ports[chain[0], edge], first.y + NODE_HEIGHT / 2)
    return [begin, *between, (ports[chain[-1], edge], last.y - NODE_HEIGHT / 2)]


def _edge(conditional: bool, back: bool, way: Sequence[tuple[float, float]]) -> str:
    points = way[::-1] if back else way
    commands = [f"M{points[0][0]:.0f} {points[0][1]:.0f}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = (y1 + y2) / 2
        commands.append(f"C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} {x2:.0f} {y2:.0f}")
    names = [name for name, given in (("choice", conditional), ("back", back)) if given]
    kind = f' class="{" ".join(names)}"' if names else ""
    return f'<path{kind} d="{" ".join(commands)}"/>'


def _node(name: str, box: Box) -> str:
    kind = ' class="end"' if name in NAMES else ""
    left, top = box.x - box.width / 2, box.y - NODE_HEIGHT / 2
    frame = f'<rect{kind} x="{left:.0f}" y="{top:.0f}" width="{box.width:.0f}" height="{NODE_HEIGHT}" rx="8"/>'
    return f'{frame}<text x="{box.x:.0f}" y="{box.y + 5:.0f}">{escape(NAMES.get(name, name))}</text>'


def _page(width: float, height: float, body: Iterable[str]) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    tips = "".join(_tip(name, colour) for name, colour in (("tip", "#5a6b8c"), ("back-tip", "#b0603a")))
    paper = '<rect width="100%" height="100%" style="fill:#ffffff;stroke:none"/>'
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{STYLE}</style>", f"<defs>{tips}</defs>"]
    return "\n".join([*head, paper, *body, "</svg>\n"])


def _tip(name: str, colour: str) -> str:
    marker = f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    return f'{marker}<path d="M0 0L8 4L0 8z" style="fill:{colour};stroke:none;marker-end:none"/></marker>'
