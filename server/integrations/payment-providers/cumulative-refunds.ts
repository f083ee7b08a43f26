/** The total refunded of a payment at some time. */
export type Mark = { amount: number; at: number }

/**
 * Returns the refunded amounts beyond the individually known refunds, one per increment. As refunds become known the
 * oldest increments shrink; a smaller one gets another name, so that the sale can reverse the former one.
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
