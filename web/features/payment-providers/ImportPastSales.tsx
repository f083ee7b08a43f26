import { useQuery } from '@tanstack/react-query'
import { importPastSales, NewPastImport, type ProviderConnection } from '#contract/payment-providers.ts'
import { lastMonths, todayIn } from '../../format.ts'
import { importQuery } from '../../shared/imports.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { DateField } from '../../ui/fields.tsx'
import { FieldPair } from '../../ui/form.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { ruleWords } from '../../words/forms.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { dialogWords } from '../../words/pieces.ts'
import { PastSales } from './PastSales.tsx'

/**
 * Asks for a date range, runs a dry run, and shows its result before anything is imported. The card shows it too, after
 * the dialog is closed.
 */
export const ImportPastSales = defineFormAction(
  importPastSales,
  NewPastImport,
  ({ connection, name }: { connection: ProviderConnection; name: string }) => {
    const { timeZone } = useAccount()
    const today = todayIn(timeZone)
    return {
      heading: paymentProviderWords.past.heading({ provider: name }),
      why: paymentProviderWords.past.why,
      submit: paymentProviderWords.past.check,
      initial: { from: lastMonths(12, today).from, to: today, dryRun: true },
      check: ({ to }) => ({ to: to > today ? ruleWords.notFuture : undefined }),
      send: (body) => ({ params: { id: connection.accountId, connectionId: connection.id }, body }),
      shows: ({ id }, { onClose, again }) => <Checked id={id} name={name} onClose={onClose} onBack={again} />,
      fields: ({ field }) => (
        <FieldPair>
          <DateField {...field('from', paymentProviderWords.past.from)} max={today} />
          <DateField {...field('to', paymentProviderWords.past.to)} max={today} />
        </FieldPair>
      ),
    }
  },
)

type CheckedProps = { id: string; name: string; onClose: () => void; onBack: () => void }

function Checked({ id, name, onClose, onBack }: CheckedProps) {
  const { data } = useQuery(importQuery(id))
  return (
    <Dialog heading={paymentProviderWords.past.heading({ provider: name })} onClose={onClose}>
      {data ? <PastSales imported={data} name={name} onStarted={onClose} /> : <Skeleton rows={2} />}
      <DialogActions>
        <Button onClick={onClose}>{dialogWords.done}</Button>
        {data?.finishedAt && <Button onClick={onBack}>{paymentProviderWords.past.otherDays}</Button>}
      </DialogActions>
    </Dialog>
  )
}
