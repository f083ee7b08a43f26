import { useQuery } from '@tanstack/react-query'
import { attributeSale, getSaleMatch, type Sale, type SaleMatch } from '#contract/sales.ts'
import { apiQuery } from '../../calls.ts'
import { type ActProps, useStart } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { saleWords } from '../../words/leads.ts'
import { AttributeDialog } from './AttributeDialog.tsx'
import { OtherRules } from './OtherRules.tsx'
import { hasPayer, Payer } from './Payer.tsx'
import { isUncredited } from './sale-actions.ts'
import { isPaymentProvider } from './words.ts'

/** The rule that credited a sale, and the results of the rules before it. */
export function MatchDialog({ of: sale, onClose }: ActProps<Sale>) {
  const answer = useQuery(apiQuery(getSaleMatch, { params: { id: sale.id } }))
  const { data } = answer
  const start = useStart()
  return (
    <Dialog wide heading={sale.partnerId ? saleWords.match.heading : saleWords.match.headingNone} onClose={onClose}>
      {!data && <Pending answer={answer} rows={3} />}
      {hasPayer(sale) && (
        <Facts
          beside
          label={saleWords.columns.payer}
          facts={[{ label: saleWords.columns.payer, value: <Payer of={sale} /> }]}
        />
      )}
      {data && <Rules match={data} />}
      {data && data.rule === null && isPaymentProvider(sale.provider) && (
        <div className="stack gap-3">
          <h3>{saleWords.match.nextTime}</h3>
          <p>
            {saleWords.match.send({ where: saleWords.match.where[sale.provider] })} {saleWords.match.orCode}
          </p>
        </div>
      )}
      {isUncredited(sale) && (
        <p>
          <Button
            look="primary"
            needs={attributeSale}
            onClick={() => {
              onClose()
              start(AttributeDialog, sale)
            }}
          >
            {saleWords.actions.attribute}
          </Button>
        </p>
      )}
    </Dialog>
  )
}

/** A rule in words and, below it, other partners whose click or code was used too, and the rules that did not match. */
export function Rules({ match: { rule, why, others } }: { match: SaleMatch }) {
  const named = others.filter(({ partnerId }) => partnerId !== null)
  const missed = others.filter(({ partnerId }) => partnerId === null)
  return (
    <div className="stack gap-3">
      <p>
        <strong>{saleWords.matched[rule ?? 'none']}</strong>
        <br />
        {why}.
      </p>
      {named.length > 0 && (
        <>
          <h3>{saleWords.match.named}</h3>
          <OtherRules label={saleWords.match.named} others={named} />
        </>
      )}
      {missed.length > 0 && (
        <>
          <h3>{saleWords.match.others}</h3>
          <OtherRules label={saleWords.match.others} others={missed} />
        </>
      )}
    </div>
  )
}
