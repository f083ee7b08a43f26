import { useId, useState } from 'react'
import { resendFailed } from '#contract/outgoing-webhooks.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { RadioField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

const daysOf = { day: 1, week: 7, month: 30, quarter: 90 } as const
type Period = keyof typeof daysOf
const periods = Object.keys(daysOf) as Period[]
const DAY_MS = 86_400_000

/** Asks since when, and sends again what failed. */
export function ResendFailed({ id, onClose }: { id: string; onClose: () => void }) {
  const field = useId()
  const [period, setPeriod] = useState<Period>('week')
  const resend = useDialogCall(resendFailed, {
    done: ({ count }) => t('outgoingWebhooks.resendFailed.done', { count }),
    onClose,
  })
  // Pressed again it asks for the same, which is then done once.
  const [opened] = useState(Date.now)
  const since = new Date(opened - daysOf[period] * DAY_MS).toISOString()
  return (
    <Confirm
      heading={t('outgoingWebhooks.resendFailed.heading')}
      confirm={t('outgoingWebhooks.resendFailed.button')}
      call={resend}
      onConfirm={() => resend.mutate({ params: { id }, body: { since } })}
      onClose={onClose}
    >
      <RadioField
        id={field}
        name="period"
        label={t('outgoingWebhooks.resendFailed.since')}
        value={period}
        choices={periods.map((value) => ({ value, label: t(`outgoingWebhooks.resendFailed.periods.${value}`) }))}
        help={t('outgoingWebhooks.resendFailed.help')}
        onChange={setPeriod}
        onBlur={() => undefined}
      />
    </Confirm>
  )
}
