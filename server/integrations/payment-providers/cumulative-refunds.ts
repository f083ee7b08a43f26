/** The total given back of a payment at some moment. */
export type Mark = { amount: number; at: number }

/**
 * The amounts given back beyond the refunds known one by one, an increment each. As refunds become known the oldest
 * increments melt away; an increment that shrank has another name, so that the sale can take the former one back.
 */
export function unnamedRefunds<M extends Mark>(marks: M[], known: { amount: number }[]) {
  let named = known.reduce((all, { amount }) => all + amount, 0)
  return marks
    .toSorted((a, b) => a.amount - b.amount)
    .flatMap((mark, index, sorted) => {
      const step = mark.amount - (sorted[index - 1]?.amount ?? 0)
      const left = Math.max(0, step - named)
      named -= step - left
      return left === 0 ? [] : [{ ...mark, left, name: `${mark.amount}:${left}` }]
    })
}
