import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type OutgoingWebhook, resendFailedDeliveries } from '#contract/outgoing-webhooks.ts'
import { useActCall } from '../../ui/act.tsx'
import type { ActProps } from '../../ui/actions.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { RadioField } from '../../ui/fields.tsx'
import { TextPlaceholder } from '../../ui/Panel.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { failedSinceQuery } from './queries.ts'

const daysOf = { day: 1, week: 7, month: 30, quarter: 90 } as const
type Period = keyof typeof daysOf
const periods = Object.keys(daysOf) as Period[]
const DAY_MS = 86_400_000

/**
 * Shows how many deliveries failed in a period and resends them: those of every event, regardless of the list's
 * filters.
 */
export function ResendFailed({ of: { id }, onClose }: ActProps<OutgoingWebhook>) {
  const field = useId()
  const [period, setPeriod] = useState<Period>('week')
  const done = ({ count }: { count: number }) => outgoingWebhookWords.resendFailed.done({ count })
  const { call: resend } = useActCall(resendFailedDeliveries, { done }, onClose)
  // Constant while the dialog is open: a second press repeats the same request, which takes effect once.
  const [opened] = useState(Date.now)
  const since = new Date(opened - daysOf[period] * DAY_MS).toISOString()
  const { data, isPlaceholderData, isError } = useQuery(failedSinceQuery(id, since))
  const total = isPlaceholderData ? undefined : data?.total
  return (
    <Confirm
      heading={outgoingWebhookWords.resendFailed.heading}
      confirm={outgoingWebhookWords.resendFailed.button}
      call={resend}
      onConfirm={() => resend.mutate({ params: { id }, body: { since } })}
      onClose={onClose}
    >
      <RadioField<Period>
        id={field}
        name="period"
        label={outgoingWebhookWords.resendFailed.since}
        value={period}
        choices={periods.map((value) => ({ value, label: outgoingWebhookWords.resendFailed.periods[value] }))}
        help={outgoingWebhookWords.resendFailed.help}
        onChange={setPeriod}
        onBlur={() => undefined}
      />
      {!isError && <p role="status">{total === undefined ? <TextPlaceholder /> : failedOf(total)}</p>}
    </Confirm>
  )
}

/** Lists count up to a thousand matching rows, so a higher total means 'more'. */
const failedOf = (total: number) =>
  total > 1000 ? outgoingWebhookWords.resendFailed.many : outgoingWebhookWords.resendFailed.count({ count: total })
