import type { SaleTermsSummary } from '#contract/sales.ts'
import { formatMoney, formatRate } from '../format.ts'
import { Facts } from '../ui/Facts.tsx'
import { Fold } from '../ui/Fold.tsx'
import { termsWords } from '../words/terms.ts'

type Part = SaleTermsSummary['parts'][number]

/** The parts of a sale, one per line: the rule that pays each and, folded, why those above it don't. */
export const PaidParts = ({ parts, currency }: { parts: readonly Part[]; currency: string }) => (
  <ul className="stack gap-1">
    {parts.map((part) => (
      <li key={part.rule} className="stack gap-1">
        <span>
          {partInWords(part, currency)}
          {parts.length > 1 && part.lines.length > 0 && <span className="muted"> · {part.lines.join(', ')}</span>}
        </span>
        {part.above.length > 0 && (
          <Fold label={termsWords.rulesAbove}>
            <Facts
              beside
              label={termsWords.rulesAbove}
              facts={part.above.map(({ rule, name, why }) => ({ label: ruleNamed(rule, name), value: why }))}
            />
          </Fold>
        )}
      </li>
    ))}
  </ul>
)

/** Returns 'Rule 1, Pro, first year: 30% of $499.00'. */
function partInWords({ rule, name, base, percent, flat, earned, above }: Part, currency: string) {
  const money = (amount: number) => formatMoney(amount, currency)
  const paid = rule !== null ? ruleNamed(rule, name) : above.length > 0 ? termsWords.otherwise : termsWords.everySale
  if (flat !== null) {
    const amount = money(flat)
    const pays = earned < flat ? termsWords.limited({ amount, earned: money(earned) }) : amount
    return termsWords.part({ rule: paid, pays })
  }
  if (percent === null || base === null) return paid
  return termsWords.part({
    rule: paid,
    pays: termsWords.percentOf({ percent: formatRate(percent), base: money(base) }),
  })
}

const ruleNamed = (number: number, name: string | null) =>
  name ? termsWords.namedRule({ number, name }) : termsWords.ruleAt({ number })
