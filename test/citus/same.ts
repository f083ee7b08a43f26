/** What a statement is given: a parameter, a constant, or whatever follows from these alone. */
export const GIVEN = 'given'

/** Which columns hold the same value in every row that a query reads. */
export class Same {
  #above: Map<string, string>

  constructor(above: Iterable<[string, string]> = []) {
    this.#above = new Map(above)
  }

  /** What a query below adds says nothing about the one above it. */
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
