import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Connection, importPastSales, NewPastImport } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { lastMonths, todayIn } from '../../format.ts'
import { importOf } from '../../shared/imports.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DateField } from '../../ui/fields.tsx'
import { FieldPair } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { ruleWords } from '../../words/forms.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { dialogWords } from '../../words/pieces.ts'
import { PastSales } from './PastSales.tsx'

type Props = { connection: Connection; name: string; onClose: () => void }

/**
 * Asks for a date range, runs a dry run, and shows its result before anything is imported. The card shows it too, after
 * the dialog is closed.
 */
export function PastSalesDialog({ connection: { id: connectionId, accountId }, name, onClose }: Props) {
  const { timeZone } = useAccount()
  const today = todayIn(timeZone)
  const [checked, setChecked] = useState<string | null>(null)
  const form = useContractForm(NewPastImport, {
    initial: { from: lastMonths(12, today).from, to: today, dryRun: true },
    check: ({ to }) => ({ to: to > today ? ruleWords.notFuture : undefined }),
  })
  const check = useCall(importPastSales, { onSuccess: ({ id }) => setChecked(id) })
  if (checked) return <Checked id={checked} name={name} onClose={onClose} onBack={() => setChecked(null)} />
  return (
    <FormDialog
      heading={paymentProviderWords.past.heading({ provider: name })}
      why={paymentProviderWords.past.why}
      submit={paymentProviderWords.past.check}
      form={form}
      save={check}
      onSubmit={(body) => check.mutate({ params: { id: accountId, connectionId }, body })}
      onClose={onClose}
    >
      <FieldPair>
        <DateField {...form.field('from', paymentProviderWords.past.from)} max={today} />
        <DateField {...form.field('to', paymentProviderWords.past.to)} max={today} />
      </FieldPair>
    </FormDialog>
  )
}

type CheckedProps = { id: string; name: string; onClose: () => void; onBack: () => void }

function Checked({ id, name, onClose, onBack }: CheckedProps) {
  const { data } = useQuery(importOf(id))
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
