"""Solutions that a symmetry fixes, counted: what Burnside's lemma asks for.

    arrangement   a symmetry without its relabelling of digits
    class         arrangements that are conjugate to each other: each fixes as many solutions up to labels

The symmetries that fix a board are a group G. Of these, some relabel digits only: a group K. The others
arrange its cells, too, and their arrangements are a group H of |G| / |K| elements. Let L(π) be the number of
solutions that an arrangement π and some relabelling fix, where solutions are the same if K leads
from one to the other. Then, by Burnside's lemma, the number of solutions up to G is the mean of L over H. No
relabelling but the identity fixes a solution, so L(identity) is the number of solutions divided by |K|.

Modules:

    arrangements.py    the classes of H
    relabellings.py    the relabellings that go with an arrangement, up to those of K
    fixed.h            the search: orbits of cells and digits are tied together, and covered exactly
    fixed_counts.pyx   its interface
    work.py            the searches for all classes, as tasks
"""
