import { useQuery } from '@tanstack/react-query'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import { payoutFormQuery } from '../../shared/queries.ts'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { DepositForm } from './DepositForm.tsx'
import type { DetailsFormProps } from './details-form.tsx'

const ChooseDetails = lazyComponent(async () => (await import('./ChooseDetails.tsx')).ChooseDetails)

/** The form of payout details: that of a bank account in the United States, unless other ones can be paid. */
export function EnterDetails({ now, ...props }: DetailsFormProps & { now: PayoutSettings }) {
  const answer = useQuery(payoutFormQuery(props.partnerId))
  const { data } = answer
  if (!data)
    return (
      <Panel>
        <Pending answer={answer} rows={8} />
      </Panel>
    )
  const isOnlyUs = data.kinds.every((kind) => kind === 'us-bank')
  return isOnlyUs ? <DepositForm {...props} /> : <ChooseDetails {...props} now={now} form={data} />
}
