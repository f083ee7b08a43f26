import { useState } from 'react'
import {
  type IncomingRehearsal,
  type IncomingRule,
  type IncomingWebhook,
  testIncomingWebhook,
} from '#contract/incoming-webhooks.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

const words = incomingWebhookWords.dryRun

/**
 * Runs the sample through the rules as entered; problems appear at their fields, as if the form had been sent. `refuse`
 * gets the rule whose fields are wrong, -1 if the rules themselves are refused.
 */
export function useDryRun(
  { id, sample }: Pick<IncomingWebhook, 'id' | 'sample'>,
  rules: IncomingRule[],
  refuse: (error: CallError, rule: number) => void,
) {
  const [answer, setAnswer] = useState<{ it: IncomingRehearsal; count: number } | null>(null)
  const test = useCall(testIncomingWebhook, {
    onSuccess(it) {
      setAnswer((before) => ({ it, count: (before?.count ?? 0) + 1 }))
      const failed = it.records.find(({ state }) => state === 'failed')?.rule
      if (it.fields)
        refuse(
          new CallError(it.reason ?? '', { status: 422, code: 'validation_failed', fields: it.fields }),
          rules.findIndex(({ name }) => name === failed),
        )
    },
    onError: (error) => {
      setAnswer(null)
      refuse(error, -1)
    },
  })
  return {
    answer,
    busy: test.busy,
    disabled: sample === null || rules.every(({ mapping }) => mapping.length === 0),
    run: () => test.mutate({ params: { id }, body: { payload: sample as object as Record<string, unknown>, rules } }),
  }
}

type ButtonProps = Pick<ReturnType<typeof useDryRun>, 'busy' | 'disabled' | 'run'>

export const DryRunButton = ({ busy, disabled, run }: ButtonProps) => (
  <Button busy={busy} disabled={disabled} onClick={run}>
    {words.button}
  </Button>
)

/** Every record that the sample would make, and what contradicts known facts. */
export function DryRunAnswer({ answer }: Pick<ReturnType<typeof useDryRun>, 'answer'>) {
  if (!answer) return null
  const { it, count } = answer
  const { state, reason, records, warnings } = it
  const results = records.map((record) => (
    <>
      {records.length > 1 && `${record.rule}: `}
      <strong>{wordsOf(record)}</strong> {record.reason ?? aboutOf(record.object)}
    </>
  ))
  const none = (
    <>
      <strong>{state === 'ignored' ? words.ignored : words.failed}</strong> {reason}
    </>
  )
  const lines = [...(records.length > 0 ? results : [none]), ...warnings]
  return (
    <Message
      kind={state === 'processed' && warnings.length === 0 ? 'success' : 'warning'}
      answers={it.fields ? undefined : count}
    >
      {lines.length > 1 ? (
        <ul>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are as they were answered
            <li key={at}>{line}</li>
          ))}
        </ul>
      ) : (
        lines[0]
      )}{' '}
      {words.nothingSaved}
    </Message>
  )
}

const wordsOf = ({ state, type }: IncomingRehearsal['records'][number]) =>
  words[state === 'failed' ? 'wrong' : state][type]

/** The parts of a lead or sale that name its owner and its partner. */
type Named = { displayName?: string; leadName?: string | null; partnerName?: string | null }

function aboutOf(object: unknown) {
  const { displayName, leadName, partnerName } = (object ?? {}) as Named
  const name = displayName ?? leadName
  if (!name) return null
  return partnerName ? words.forPartner({ name, partner: partnerName }) : words.forNobody({ name })
}
