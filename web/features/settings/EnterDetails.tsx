import { useQuery } from '@tanstack/react-query'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import { payoutForm } from '../../shared/queries.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { DepositForm } from './DepositForm.tsx'
import type { DetailsFormProps } from './details-form.tsx'

const ChooseDetails = lazyPart(async () => (await import('./ChooseDetails.tsx')).ChooseDetails)

/** The form of payout details: that of a bank account in the United States, unless other ones can be paid. */
export function EnterDetails({ now, ...props }: DetailsFormProps & { now: PayoutSettings }) {
  const { data, error, refetch, isFetching } = useQuery(payoutForm(props.partnerId))
  if (!data)
    return (
      <Panel>
        {error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={8} />}
      </Panel>
    )
  const isOnlyUs = data.kinds.every((kind) => kind === 'us-bank')
  return isOnlyUs ? <DepositForm {...props} /> : <ChooseDetails {...props} now={now} form={data} />
}
