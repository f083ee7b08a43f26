import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { useCall } from '#web/calls.ts'
import { formatAgo } from '#web/format.ts'
import { useAccount } from '#web/shell/current.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { type Fact, Facts } from '#web/ui/Facts.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { explainRefusal } from '#web/ui/form.tsx'
import { ExternalIcon } from '#web/ui/icons.tsx'
import { Message } from '#web/ui/Message.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { embedCheckWords } from '../check-text.ts'
import {
  type EmbedCode,
  embedElements,
  type FormFound,
  type MatchedElements,
  type PickedElements,
  startEmbedCheck,
} from '../contract.ts'
import { checkQuery } from './queries.ts'

/** Time for a page to report before the user gets a hint. */
const PATIENCE_MS = 30_000

type Started = { id: string; page: string; url: string; at: string; opened: boolean; pick: boolean }

type Props = {
  accountId: string
  code: EmbedCode | null
  unsaved: boolean
  matched: MatchedElements | null
  onMatched: (matched: MatchedElements | null) => void
  onPicked: (picked: PickedElements) => void
}

/**
 * Opens one of the owner's pages. The script there outlines the elements it finds, or lets the owner pick them, and
 * reports here.
 */
export function SiteCheck({ accountId, code, unsaved, matched, onMatched, onPicked }: Props) {
  const may = usePermission()
  const [started, setStarted] = useState<Started | null>(null)
  const { data } = useQuery({ ...checkQuery(accountId, started?.id ?? ''), enabled: started !== null && !matched })
  const reported = started && data?.matched ? data : null
  const take = useEffectEvent(() => {
    onMatched(reported?.matched ?? null)
    if (reported?.picked) onPicked(reported.picked)
  })
  useEffect(() => {
    if (reported) take()
  }, [reported])
  const found = matched && embedElements.filter((element) => matched[element]).length
  return (
    <Panel
      heading={embedCheckWords.checkHeading}
      aside={
        found !== null ? (
          <Badge tone={found === embedElements.length ? 'done' : 'needs'}>
            {embedCheckWords.foundOf({ count: found, total: embedElements.length })}
          </Badge>
        ) : (
          started && <Badge tone="moves">{embedCheckWords.waiting}</Badge>
        )
      }
    >
      <Facts label={embedCheckWords.checkHeading} facts={useFacts(code, started)} />
      <div className="stack gap-3 inset">
        {started && !matched && <Waiting key={started.id} started={started} />}
        {matched && data?.picked && <Message kind="success">{embedCheckWords.picked}</Message>}
        {matched && data?.forms && <FormsFound forms={data.forms} />}
        {may(startEmbedCheck) && (
          <PageToCheck
            accountId={accountId}
            code={code}
            unsaved={unsaved}
            onStarted={(next) => {
              onMatched(null)
              setStarted(next)
            }}
          />
        )}
      </div>
    </Panel>
  )
}

/** The forms of the checked page: which send leads, and why the others don't. */
function FormsFound({ forms }: { forms: FormFound[] }) {
  if (forms.length === 0) return <p className="muted small">{embedCheckWords.formsNone}</p>
  return (
    <ul aria-label={embedCheckWords.formsFound} className="stack gap-1 small">
      {forms.map(({ name, verdict, why }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: forms of a page may share their name, and never move
        <li key={at} className={why === 'one-password' ? 'wrap warning' : 'wrap'}>
          {embedCheckWords.formWhy({
            form: name || embedCheckWords.formUnnamed,
            verdict: embedCheckWords.verdicts[verdict],
            reason: embedCheckWords.reasons[why],
          })}
        </li>
      ))}
    </ul>
  )
}

function useFacts(code: EmbedCode | null, started: Started | null): Fact[] {
  const { timeZone } = useAccount()
  const facts: Fact[] = [
    {
      label: embedCheckWords.lastLead,
      value: code?.lastLeadAt ? formatAgo(code.lastLeadAt, timeZone) : embedCheckWords.never,
    },
  ]
  if (started) {
    const { host, pathname } = new URL(started.page)
    facts.unshift(
      { label: embedCheckWords.checkedPage, value: <code>{host + pathname}</code> },
      { label: embedCheckWords.checked, value: formatAgo(started.at, timeZone) },
    )
  }
  if (code && code.refusedLeads > 0) {
    const count = formatNumber(code.refusedLeads)
    const origin = code.lastRefusedOrigin
    facts.push({
      label: embedCheckWords.refusedLeads,
      value: origin ? embedCheckWords.refusedFrom({ number: count, origin }) : count,
      warns: true,
    })
  }
  return facts
}

function Waiting({ started }: { started: Started }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  const silent = started.pick ? embedCheckWords.pickSilent : embedCheckWords.silent
  const help = started.pick ? embedCheckWords.pickHelp : embedCheckWords.waitingHelp
  const link = !started.opened && (
    <a href={started.url} target="_blank" rel="noreferrer">
      {embedCheckWords.openPage}
    </a>
  )
  return (
    <Message kind={late ? 'warning' : 'info'} action={link}>
      {late ? silent : help}
    </Message>
  )
}

type PageProps = Pick<Props, 'accountId' | 'code' | 'unsaved'> & { onStarted: (started: Started) => void }

function PageToCheck({ accountId, code, unsaved, onStarted }: PageProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const start = useCall(startEmbedCheck)
  const page = typed ?? (code?.domains[0] ? `https://${code.domains[0]}/` : '')
  const wrong = start.error?.fields.url
  const help = !code ? embedCheckWords.verifyNone : unsaved ? embedCheckWords.verifySaved : embedCheckWords.verifyHelp

  const [picks, setPicks] = useState(false)

  async function open(pick: boolean) {
    if (start.busy) return
    setPicks(pick)
    // Opened in the click handler itself: browsers block later calls.
    const tab = window.open('', '_blank')
    try {
      const { id, url } = await start.send({ params: { id: accountId }, body: { url: page, pick } })
      if (tab) {
        tab.opener = null
        tab.location.replace(url)
      }
      onStarted({ id, page: page.trim(), url, at: new Date().toISOString(), opened: tab !== null, pick })
    } catch {
      // The refusal is shown from `start.error`.
      tab?.close()
      document.getElementById(id)?.focus()
    }
  }

  return (
    <form
      noValidate
      className="stack gap-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void open(false)
      }}
    >
      <TextField
        id={id}
        name="page"
        label={embedCheckWords.page}
        value={page}
        disabled={code === null}
        inputMode="url"
        autoComplete="off"
        help={help}
        error={wrong}
        onChange={(value) => {
          setTyped(value)
          start.reset()
        }}
        onBlur={() => undefined}
      />
      {start.error && !wrong && <Message kind="error">{explainRefusal(start.error)}</Message>}
      <div className="row">
        <Button disabled={code === null || start.busy} busy={start.busy && picks} onClick={() => open(true)}>
          {embedCheckWords.pick}
        </Button>
        <Button
          type="submit"
          icon={<ExternalIcon size={16} />}
          disabled={code === null || start.busy}
          busy={start.busy && !picks}
        >
          {embedCheckWords.verify}
        </Button>
      </div>
    </form>
  )
}
