import { useQueryClient } from '@tanstack/react-query'
import type { CustomDomain } from '#contract/custom-domains.ts'
import { type Brand, BrandChange, changeBrand, checkHost } from '#contract/portal.ts'
import { useCall } from '../../calls.ts'
import { formatAgo } from '../../format.ts'
import { brandQuery } from '../../shared/brand.ts'
import { useAccount } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { CopyField, TextField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { AgainIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { hostWords as words } from '../../words/assets.ts'
import { toastWords } from '../../words/shell.ts'
import { OnlyRead } from './form.tsx'

type Props = { accountId: string; saved: Brand }

const valuesOf = ({ host }: Brand) => ({ host: host?.name ?? '' })

/** The account's own domain, and the DNS records that it needs. */
export function OwnHost({ accountId, saved }: Props) {
  const client = useQueryClient()
  const may = usePermission()(changeBrand)
  const form = useContractForm(BrandChange, { initial: valuesOf(saved) })
  const save = useCall(changeBrand, {
    onSuccess(changed) {
      client.setQueryData(brandQuery(accountId).queryKey, changed)
      form.saved(valuesOf(changed))
      showToast(toastWords.saved({ resource: words.resource }))
    },
  })
  const { host } = saved
  return (
    <TwoColumns form aside={host && <State accountId={accountId} host={host} />}>
      <Form
        form={form}
        save={save}
        label={words.heading}
        onSubmit={(body) => save.mutate({ params: { id: accountId }, body })}
      >
        <OnlyRead unless={may} changedBy="own">
          <FormPanel heading={words.heading} help={words.help}>
            <TextField
              {...form.field('host', words.domain)}
              help={words.domainHelp}
              placeholder={words.placeholder}
              autoCapitalize="none"
              inputMode="url"
              spellCheck={false}
              optional
            />
            {host && host.state !== 'ready' && <Records host={host} />}
          </FormPanel>
        </OnlyRead>
        {may && <FormActions submit={words.save} cancel={() => form.restart(valuesOf(saved))} />}
      </Form>
    </TwoColumns>
  )
}

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

function State({ accountId, host }: { accountId: string; host: CustomDomain }) {
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
