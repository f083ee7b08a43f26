/** A value given to the statement: a parameter, a constant, or anything that follows from these alone. */
export const GIVEN = 'given'

/** Tracks which columns have the same value in every row that a query reads. */
export class Same {
  #above: Map<string, string>

  constructor(above: Iterable<[string, string]> = []) {
    this.#above = new Map(above)
  }

  /** Copies for a subquery, whose conditions do not apply to the query around it. */
  copy = () => new Same(this.#above)

  join(one: string | undefined, other: string | undefined) {
    if (one === undefined || other === undefined) return
    const [a, b] = [this.#root(one), this.#root(other)]
    if (a !== b) this.#above.set(a, b)
  }

  isGiven = (key: string | undefined) => key !== undefined && this.#root(key) === this.#root(GIVEN)

  #root(key: string): string {
    let at = key
    for (let next = this.#above.get(at); next !== undefined; next = this.#above.get(at)) at = next
    return at
  }
}
