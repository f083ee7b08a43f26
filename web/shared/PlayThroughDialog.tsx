import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { getRehearsal, type Rehearsal, rehearsalSteps, startRehearsal } from '#features/rehearsals/contract.ts'
import { apiQuery, useCall } from '../calls.ts'
import { Disk, type Tone } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { explainRefusal } from '../ui/form.tsx'
import { AgainIcon, DoneIcon, ErrorIcon, NextIcon, WaitIcon, WarningIcon } from '../ui/icons.tsx'
import { Message } from '../ui/Message.tsx'
import { dialogWords } from '../words/pieces.ts'
import { rehearsalWords } from '../words/rehearsal.ts'

const LOOK_AGAIN_MS = 400

/** One rehearsal, polled until it has ended. */
const rehearsalOf = (accountId: string, rehearsalId: string) => ({
  ...apiQuery(getRehearsal, { params: { id: accountId, rehearsalId } }),
  refetchInterval: ({ state: { data } }: { state: { data?: Rehearsal | undefined } }) =>
    data && data.state !== 'running' ? false : LOOK_AGAIN_MS,
})

export function PlayThroughDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const [begun, setBegun] = useState<Rehearsal | null>(null)
  // it changes no cached data
  const start = useCall(startRehearsal, { oneOfMany: true, onSuccess: setBegun })
  const followed = useQuery({ ...rehearsalOf(accountId, begun?.id ?? ''), enabled: begun !== null })
  const shown = begun && (followed.data ?? begun)
  const play = () => {
    setBegun(null)
    start.mutate({ params: { id: accountId }, body: {} })
  }
  const first = useRef(play)
  useEffect(() => first.current(), [])
  const refused = start.error ? explainRefusal(start.error) : followed.error?.message
  const isOver = refused !== undefined || (shown !== null && shown.state !== 'running')
  return (
    <Dialog wide heading={rehearsalWords.heading} onClose={onClose}>
      <p className="muted">{rehearsalWords.about}</p>
      {refused === undefined ? (
        <p role="status" className="strong">
          {shown ? resultOf(shown) : rehearsalWords.starting}
        </p>
      ) : (
        <Message kind="error">{refused}</Message>
      )}
      {(shown || refused === undefined) && <Steps steps={shown?.steps ?? waiting()} onLeave={onClose} />}
      <DialogActions>
        <Button look="primary" data-first-focus onClick={onClose}>
          {dialogWords.done}
        </Button>
        <Button disabled={!isOver} onClick={play}>
          {rehearsalWords.again}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Step = Rehearsal['steps'][number]
const waiting = () => rehearsalSteps.map((step): Step => ({ step, state: 'waiting', detail: null, fix: null }))

const looks: Record<Step['state'], { tone: Tone; icon: typeof DoneIcon }> = {
  waiting: { tone: 'waits', icon: WaitIcon },
  running: { tone: 'moves', icon: AgainIcon },
  done: { tone: 'done', icon: DoneIcon },
  warning: { tone: 'needs', icon: WarningIcon },
  failed: { tone: 'failed', icon: ErrorIcon },
  skipped: { tone: 'waits', icon: NextIcon },
}

const places: Record<NonNullable<Step['fix']>, Pick<LinkProps, 'to' | 'search'>> = {
  links: { to: '/links' },
  partners: { to: '/partners' },
  'embed-code': { to: '/integrations/embed-code' },
  'push-data': { to: '/integrations/push-data' },
  'payment-providers': { to: '/integrations/payment-providers' },
  commission: { to: '/account/settings', search: { tab: 'commission' } },
  'outgoing-webhooks': { to: '/integrations/outgoing-webhooks' },
}

function Steps({ steps, onLeave }: { steps: Step[]; onLeave: () => void }) {
  return (
    <ol aria-label={rehearsalWords.heading} className="stack gap-3">
      {steps.map(({ step, state, detail, fix }) => (
        <li key={step} className="row top gap-3">
          <Disk {...looks[state]} />
          <div className="rest">
            <strong className={state === 'waiting' || state === 'skipped' ? 'muted' : undefined}>
              {rehearsalWords.steps[step]}
            </strong>{' '}
            <small className="muted">{rehearsalWords.states[state]}</small>
            {detail && <p className="muted small wrap">{detail}</p>}
            {fix && (
              <Link {...places[fix]} className="small" onClick={onLeave}>
                {rehearsalWords.fixes[fix]}
              </Link>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function resultOf({ state, steps }: Rehearsal) {
  const named = (...wanted: Step['state'][]) =>
    steps.filter((one) => wanted.includes(one.state)).map(({ step }) => rehearsalWords.steps[step])
  const [failed] = named('failed')
  // A failure of the last step does not skip any other.
  if (failed && named('skipped').length > 0) return rehearsalWords.failed({ step: failed })
  const toCheck = named('failed', 'warning')
  if (state !== 'running' && toCheck.length > 0)
    return rehearsalWords.toCheck({ count: toCheck.length, steps: toCheck.join(', ') })
  if (state === 'passed') return rehearsalWords.passed
  const [step] = named('running')
  return step ? rehearsalWords.playing({ step }) : rehearsalWords.starting
}
