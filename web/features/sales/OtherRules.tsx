import type { SaleMatch } from '#contract/sales.ts'
import { ToPartner } from '../../shared/links.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Name } from '../../ui/Name.tsx'
import { saleWords } from '../../words/leads.ts'

/** The rules that did not decide about a sale; those that name another partner link to them. */
export function OtherRules({ label, others }: { label: string; others: SaleMatch['others'] }) {
  return (
    <Facts
      beside
      label={label}
      facts={others.map(({ rule, why, partnerId, partnerName, code }) => ({
        id: `${rule} ${partnerId} ${code}`,
        label: saleWords.rules[rule],
        value: partnerId ? (
          <>
            <Name>
              <ToPartner id={partnerId}>{partnerName}</ToPartner>
            </Name>
            <p>{why}</p>
          </>
        ) : (
          why
        ),
      }))}
    />
  )
}
