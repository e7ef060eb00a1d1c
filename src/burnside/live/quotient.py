"""The symmetries that may be used for claims about runs, and runs of the quotient as runs of the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, final

from burnside.claims.kinds import Atom
from burnside.detect.detection import Detection
from burnside.detect.run import Symmetries
from burnside.explore.lift import Lifting
from burnside.groups import Perm, PermGroup, pointwise_stabiliser
from burnside.groups.perm import identity
from burnside.groups.work import OutOfWork, Work
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model
from burnside.ir.processes import Processes
from burnside.ir.semantics import Step
from burnside.live.observe import Observed, observe
from burnside.live.semantics import RunError, RunSemantics
from burnside.reduce.symmetry.action import Action, action_following
from burnside.reduce.symmetry.carry import orbit_with_elements
from burnside.reduce.symmetry.plan import MOST_WORK, TooComplex, plan_action
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.results.runs import Lasso, Moment
from burnside.values import dataclass, replace

Atoms: TypeAlias = Mapping[str, Atom]


@final
@dataclass(frozen=True)
class ClaimOrbit:
    """Claims that symmetries exchange: one of them, and for every other an element that takes the one to the other."""

    first: int
    others: Mapping[int, Perm]


@final
class FamilySymmetry:
    """The symmetries of a model that permute some claims of one family; ``symmetries`` knows those of every model."""

    def __init__(
        self,
        model: Model,
        processes: Processes | None,
        claims: Sequence[Atoms],
        symmetries: Callable[[Model], Symmetries],
    ) -> None:
        self._symmetries = symmetries
        self._model = model
        self._processes = processes
        self._claims = claims
        self._cells = len(Cells(model).all)
        self._observed: Observed = observe(model, processes, claims)
        self.detection: Detection = symmetries(self._observed.model).keeping(self._observed.requirements)

    @cached_property
    def full_order(self) -> int:
        """How many symmetries there would be if no atom had to be kept; counted, not validated, never used."""
        observed = observe(self._model, self._processes, [{}])
        return self._symmetries(observed.model).order_keeping(observed.requirements)

    # ------------------------------------------------------------ how claims are exchanged

    @cached_property
    def _kinds(self) -> tuple[int, ...]:
        """A number for every claim, the same for claims that are the same condition by condition."""
        numbers: dict[tuple[object, ...], int] = {}
        size = self._observed.per_claim
        keys = (self.detection.kinds[k * size : (k + 1) * size] for k in range(len(self._claims)))
        return tuple(numbers.setdefault(key, len(numbers)) for key in keys)

    @cached_property
    def _group(self) -> PermGroup:
        """The group on points and, behind them, on kinds of claims.

        A generator that tears a claim apart, one atom to one claim and one to another, is left out.
        """
        symmetry, size = self.detection.symmetry, self._observed.per_claim
        degree = len(symmetry.literals.points)
        key_of = {kind: k for k, kind in reversed(list(enumerate(self._kinds)))}
        images = {self.detection.kinds[k * size : (k + 1) * size]: kind for kind, k in key_of.items()}
        generators = []
        for perm, becomes in symmetry.exchanges.items():
            moved = [
                images.get(tuple(self.detection.kinds[becomes[r]] for r in range(k * size, (k + 1) * size)))
                for _, k in sorted(key_of.items())
            ]
            kinds = [kind for kind in moved if kind is not None]
            if sorted(kinds) == list(range(len(key_of))):
                generators.append((*perm, *(degree + kind for kind in kinds)))
        return PermGroup(degree + len(key_of), tuple(generators))

    @cached_property
    def orbits(self) -> tuple[ClaimOrbit, ...]:
        """The claims, those together that symmetries exchange."""
        degree = len(self.detection.symmetry.literals.points)
        found: list[ClaimOrbit] = []
        reached: dict[int, tuple[int, Perm]] = {}  # by kind: where its orbit begins, and an element that leads there
        others: dict[int, dict[int, Perm]] = {}
        for claim, kind in enumerate(self._kinds):
            if kind not in reached:
                reached |= {k: (claim, g) for k, g in self._reach(kind).items()}
                others[claim] = {}
                found.append(ClaimOrbit(claim, others[claim]))
            else:
                first, element = reached[kind]
                others[first][claim] = element[:degree]
        return tuple(found)

    def _reach(self, kind: int) -> dict[int, Perm]:
        """The kinds that one can become, each with an element that makes it so."""
        degree = len(self.detection.symmetry.literals.points)

        def neighbours(k: int) -> Iterator[tuple[int, Perm]]:
            return ((g[degree + k] - degree, g) for g in self._group.generators)

        return orbit_with_elements(kind, neighbours, self._group.degree)

    # ------------------------------------------------------------ what may be used for one claim

    def quotient(self, orbit: ClaimOrbit, *, multi: bool = False, unique: bool = False) -> RunsQuotient:
        """The symmetries that keep one claim, as a reduction; ``multi`` asks for local search, unless ``unique`` says
        that an orbit must have one representative.
        """
        literals = self.detection.symmetry.literals
        degree, kind = len(literals.points), self._kinds[orbit.first]
        followed = self._followed()
        points = [point for _, point in followed]
        work = Work(MOST_WORK)
        try:
            group = pointwise_stabiliser(self._group, [degree + kind], work=work).on_points(range(degree))
            action = action_following(literals, group, self._cells, points, work=work)
        except OutOfWork:
            action = None
        units = tuple(u for u, _ in followed)
        return RunsQuotient(self, action, self._processes, units, multi=multi, unique=unique)

    def _followed(self) -> list[tuple[int, int]]:
        """Processes that can act at all, each with the point that shows it acting."""
        numbers = self.detection.symmetry.literals.numbers
        pairs = ((u, numbers.get((self._cells + u, 1))) for u in range(self._observed.processes))
        return [(u, point) for u, point in pairs if point is not None]

    # ------------------------------------------------------------ runs carried over

    def image(self, run: Lasso, element: Perm, old: Atoms, new: Atoms) -> Lasso:
        """The image of a run, which says about another claim what the run says about the first."""
        literals = self.detection.symmetry.literals
        ghosts = (0,) * (len(literals.cells.all) - self._cells)

        def moved(state: State) -> State:
            return literals.apply(element, state + ghosts)[: self._cells]

        points = dict(self._followed())
        back = {point: u for u, point in points.items()}
        before, after = (RunSemantics(self._model, atoms, self._processes) for atoms in (old, new))
        moments = []
        for moment, following in run.steps():
            acting = frozenset(back[element[points[u]]] for u in before.acting(moment))
            moments.append(_moment(after, moved(moment.state), moved(following), moment, acting, before.letter(moment)))
        return Lasso(tuple(moments), run.back)


def _moment(
    semantics: RunSemantics, state: State, after: State, like: Moment, acting: frozenset[int], letter: frozenset[str]
) -> Moment:
    """The image of a moment: a step between two states by given processes, in which given atoms hold."""
    if like.instance is None:
        return Moment(state, None)
    for number in range(len(semantics.instances)):
        outcome = semantics.fire(number, state)
        if isinstance(outcome, Step) and outcome.state == after:
            moment = Moment(state, number)
            if semantics.acting(moment) == acting and semantics.letter(moment) == letter:
                return moment
    raise RunError("a step of a run has no image under a symmetry")


@final
class RunsQuotient:
    """The reduction for one claim, if there is any; ``units`` are the processes that it follows.

    Without an ``action`` the group takes too long to work with.
    """

    def __init__(
        self,
        family: FamilySymmetry,
        action: Action | None,
        processes: Processes | None,
        units: tuple[int, ...],
        *,
        multi: bool,
        unique: bool,
    ) -> None:
        self._family = family
        self._action = action
        self._all = processes
        self._units = units
        self.reason = ""
        self.reduction = self._plan(multi=multi, unique=unique or processes is not None)

    def _plan(self, *, multi: bool, unique: bool) -> SymmetryReduction | None:
        if self._action is None:
            self.reason = "no reduction was found: its group takes too long to work with"
            return None
        if not self._action.positions:
            has_none = self._family.full_order == 1
            self.reason = "no symmetry was found" if has_none else "the formula keeps no symmetry"
            return None
        try:
            planned = plan_action(self._action, multi=multi and not unique)
        except TooComplex as error:
            self.reason = f"no reduction was found: {error}"
            return None
        if planned is None or not unique:
            return planned
        if not planned.is_exact:
            self.reason = "the stabiliser chain grows too large"
            return None
        return replace(planned, reason="one representative is needed for every orbit") if multi else planned

    @cached_property
    def processes(self) -> Processes | None:
        """The processes that are followed, renumbered; the others never act."""
        if self._all is None:
            return None
        number = {u: k for k, u in enumerate(self._units)}
        acting = tuple(tuple(number[u] for u in row if u in number) for row in self._all.acting)
        return Processes(tuple(self._all.units[u] for u in self._units), acting)

    @property
    def order(self) -> int:
        """How many symmetries keep the claim."""
        return 1 if self._action is None else self._action.order

    @property
    def full_order(self) -> int:
        """How many there would be without the claim."""
        return self._family.full_order

    # ------------------------------------------------------------ runs

    def lifted(self, model: Model, atoms: Atoms, stem: Sequence[Moment], loop: Sequence[Moment]) -> Lasso:
        """A run of the model through the orbits of a run of the quotient, repeated until it closes."""
        assert self.reduction is not None
        lifting = _RunLifting(RunSemantics(model, atoms, self._all), self.reduction, self._units)
        ahead = (*stem, *loop)
        for here, there in zip(stem, ahead[1:], strict=False):
            lifting.take(here, there.state)
        back = len(stem)
        start = lifting.position(loop[0].state)
        while True:
            for here, there in zip(loop, (*loop[1:], loop[0]), strict=True):
                lifting.take(here, there.state)
            if lifting.position(loop[0].state) == start:
                return Lasso(tuple(lifting.moments), back)


@final
class _RunLifting:
    """Follows a run of the quotient, moment by moment."""

    def __init__(self, semantics: RunSemantics, reduction: SymmetryReduction, units: tuple[int, ...]) -> None:
        self._semantics = semantics
        self._action = reduction.action
        self._units = units
        self._lifting = Lifting(reduction)
        self.position = self._lifting.position
        self.moments: list[Moment] = []

    def take(self, here: Moment, there: State) -> None:
        """Append the image of a step between two representatives."""
        state, successor = self.position(here.state), self._semantics.after(here)
        acting = frozenset(map(self._image, self._semantics.acting(here)))
        letter = self._semantics.letter(here)
        self.moments.append(_moment(self._semantics, state, self.position(successor), here, acting, letter))
        self._lifting.turn(self._carry(successor, there))

    def _image(self, process: int) -> int:
        literals = len(self._action.values)
        return self._units[self._lifting.element[literals + self._units.index(process)] - literals]

    def _carry(self, successor: State, there: State) -> Perm:
        """The element that takes a successor to its representative; under fairness the very one that was searched."""
        transport = self._lifting.transport
        if not self._action.followed:
            carry = transport.element(successor, there)
        elif successor == there and self.moments[-1].instance is None:
            carry = identity(len(self._action.values) + self._action.followed)
        else:
            image, carry = transport.canonical(transport.image(successor))
            if image != transport.image(there):
                raise RunError("a state is not the representative that was searched")
        if carry is None:
            raise RunError("two neighbours of a run are not joined by a step up to symmetry")
        return carry
