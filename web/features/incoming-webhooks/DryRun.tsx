import { useState } from 'react'
import { type IncomingRehearsal, type IncomingWebhook, testIncomingWebhook } from '#contract/incoming-webhooks.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import type { Sent } from './mapping.ts'

/** Runs the sample through the mapping as entered; problems appear at their fields, as if the form had been sent. */
export function useDryRun(
  { id, sample }: Pick<IncomingWebhook, 'id' | 'sample'>,
  sent: Sent,
  refuse: (error: CallError) => void,
) {
  const [answer, setAnswer] = useState<{ it: IncomingRehearsal; count: number } | null>(null)
  const test = useCall(testIncomingWebhook, {
    onSuccess(it) {
      setAnswer((before) => ({ it, count: (before?.count ?? 0) + 1 }))
      if (it.fields)
        refuse(new CallError(it.reason ?? '', { status: 422, code: 'validation_failed', fields: it.fields }))
    },
    onError: (error) => {
      setAnswer(null)
      refuse(error)
    },
  })
  return {
    answer,
    busy: test.busy,
    disabled: sample === null || sent.mapping.length === 0,
    run: () => test.mutate({ params: { id }, body: { payload: sample as object as Record<string, unknown>, ...sent } }),
  }
}

type ButtonProps = Pick<ReturnType<typeof useDryRun>, 'busy' | 'disabled' | 'run'>

export const DryRunButton = ({ busy, disabled, run }: ButtonProps) => (
  <Button busy={busy} disabled={disabled} onClick={run}>
    {incomingWebhookWords.dryRun.button}
  </Button>
)

export function DryRunAnswer({ answer }: Pick<ReturnType<typeof useDryRun>, 'answer'>) {
  if (!answer) return null
  const { it, count } = answer
  const { made, reason, state } = it
  if (!made) {
    return (
      <Message kind="warning" answers={it.fields ? undefined : count}>
        <strong>
          {state === 'ignored' ? incomingWebhookWords.dryRun.ignored : incomingWebhookWords.dryRun.failed}
        </strong>{' '}
        {reason} {incomingWebhookWords.dryRun.nothingSaved}
      </Message>
    )
  }
  const outcome = made.created ? 'created' : 'known'
  return (
    <Message kind="success" answers={count}>
      <strong>{incomingWebhookWords.dryRun[outcome][made.type]}</strong> {aboutOf(made.object)}{' '}
      {incomingWebhookWords.dryRun.nothingSaved}
    </Message>
  )
}

/** The parts of a lead or sale that name its owner and its partner. */
type Named = { displayName?: string; leadName?: string | null; partnerName?: string | null }

function aboutOf(object: unknown) {
  const { displayName, leadName, partnerName } = object as Named
  const name = displayName ?? leadName
  if (!name) return null
  return partnerName
    ? incomingWebhookWords.dryRun.forPartner({ name, partner: partnerName })
    : incomingWebhookWords.dryRun.forNobody({ name })
}
