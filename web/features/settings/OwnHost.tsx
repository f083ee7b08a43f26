import type { CustomDomain } from '#contract/custom-domains.ts'
import { type Brand, checkHost } from '#contract/portal.ts'
import { useCall } from '../../calls.ts'
import { formatAgo } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type FieldProps, FormPanel } from '../../ui/contract-form.tsx'
import { CopyField, TextField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { showToast } from '../../ui/toasts.ts'
import { hostWords as words } from '../../words/assets.ts'

type Props = { field: FieldProps<string>; saved: Brand }

/** The account's own domain, and the DNS records that it needs. */
export const HostFields = ({ field, saved: { host } }: Props) => (
  <FormPanel heading={words.heading} help={words.help}>
    <TextField
      {...field}
      help={words.domainHelp}
      placeholder={words.placeholder}
      autoCapitalize="none"
      inputMode="url"
      spellCheck={false}
      optional
    />
    {host && host.state !== 'ready' && <Records host={host} />}
  </FormPanel>
)

/** An address in numbers needs another kind of record. */
const isNumeric = (host: string) => /^[\d.]+$|:/.test(host)

/** The records to copy. */
const Records = ({ host: { name, target, record } }: { host: CustomDomain }) => {
  const kind = isNumeric(target) ? 'A' : 'CNAME'
  return (
    <>
      <p>{words.records}</p>
      {[
        { kind: 'TXT', ...record },
        { kind, name, value: target },
      ].map(({ kind, name, value }) => (
        <section key={kind} aria-label={words.record({ kind })} className="stack gap-2">
          <h3>{words.record({ kind })}</h3>
          <CopyField label={words.name} value={name} copyLabel={words.copyName({ kind })} />
          <CopyField label={words.value} value={value} copyLabel={words.copyValue({ kind })} />
        </section>
      ))}
      {kind === 'CNAME' && <p className="muted small">{words.noCname}</p>}
    </>
  )
}

const tones = { unproven: 'waits', proven: 'moves', ready: 'done', attention: 'needs' } as const

/** The state of the domain, which can be checked now. */
export function HostState({ accountId, host }: { accountId: string; host: CustomDomain }) {
  const { timeZone } = useAccount()
  const check = useCall(checkHost, {
    onSuccess: ({ host }) => {
      if (host?.state === 'ready') showToast(words.works)
    },
  })
  const { name, state, problem, checkedAt } = host
  return (
    <Panel heading={words.state} aside={checkedAt && words.checked({ ago: formatAgo(checkedAt, timeZone) })}>
      <div className="stack inset">
        <div className="row">
          <span className="strong wrap">{name}</span>
          <Badge tone={tones[state]}>{words.badges[state]}</Badge>
        </div>
        {problem && <Message kind={state === 'unproven' ? 'info' : 'warning'}>{problem}</Message>}
        {check.error && <Message kind="error">{explainRefusal(check.error)}</Message>}
        <p className="muted">{words.states[state]}</p>
        <div>
          <Button
            needs={checkHost}
            icon={<AgainIcon size={16} />}
            busy={check.busy}
            onClick={() => check.mutate({ params: { id: accountId } })}
          >
            {words.checkNow}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
