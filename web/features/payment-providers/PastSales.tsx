import { formatNumber } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { importPastSales } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { formatDateRange, formatMoney } from '../../format.ts'
import { ImportProgress } from '../../shared/ImportProgress.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import styles from './PaymentProviders.module.css'

type Props = {
  /** The running or most recent import. */
  imported: Import
  name: string
  /** Called once the import itself is started, after its dry run. */
  onStarted?: () => void
}

/** An import of a provider's past sales: progress, result and, after a dry run, the button for the import itself. */
export function PastSales({ imported, name, onStarted }: Props) {
  const { defaultCurrency } = useOwnAccount()
  const { dryRun, state, created, from, to } = imported
  return (
    <section aria-label={paymentProviderWords.past.last({ provider: name })} className={`stack gap-2 ${styles.past}`}>
      <p className="muted">
        <strong>{dryRun ? paymentProviderWords.past.checked : paymentProviderWords.past.imported}</strong>{' '}
        {from && to && formatDateRange(from, to)}
      </p>
      <ImportProgress
        imported={imported}
        label={(dryRun ? paymentProviderWords.past.checking : paymentProviderWords.past.progress)({ provider: name })}
        result={resultOf(imported, defaultCurrency)}
      >
        {dryRun && state === 'done' && created > 0 && <ImportThem imported={imported} onStarted={onStarted} />}
      </ImportProgress>
    </section>
  )
}

function ImportThem({ imported: { connectionId, from, to, created }, onStarted }: Omit<Props, 'name'>) {
  const { id } = useOwnAccount()
  const start = useCall(importPastSales, { onSuccess: onStarted })
  return (
    <>
      <Button
        look="primary"
        needs={importPastSales}
        busy={start.busy}
        onClick={() =>
          start.mutate({ params: { id, connectionId: connectionId! }, body: { from: from!, to: to!, dryRun: false } })
        }
      >
        {paymentProviderWords.past.import({ count: created })}
      </Button>
      {start.error && <Message kind="error">{explainRefusal(start.error)}</Message>}
    </>
  )
}

/** Returns '1,204 sales, $98,120.00, 61 of them without a partner; 12 already here'. */
function resultOf({ dryRun, created, skipped, failed, unattributed, totals }: Import, own: string): string {
  const sales = [
    (dryRun ? paymentProviderWords.past.sales : paymentProviderWords.past.salesImported)({ count: created }),
    ...totals.map(({ amount, currency }) => formatMoney(amount, currency, own)),
    ...(unattributed > 0 ? [paymentProviderWords.past.unattributed({ number: formatNumber(unattributed) })] : []),
  ].join(', ')
  return [
    created > 0 ? sales : paymentProviderWords.past.noSales,
    ...(skipped > 0 ? [paymentProviderWords.past.known({ number: formatNumber(skipped) })] : []),
    ...(failed > 0 ? [paymentProviderWords.past.failed({ count: failed })] : []),
  ].join('; ')
}
