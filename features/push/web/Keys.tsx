import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Account, renewApiKey } from '#contract/accounts.ts'
import { type ApiKey, createApiKey, deleteApiKey, rotateApiKey } from '#features/api-keys/contract.ts'
import { useCall } from '#web/calls.ts'
import { formatAgo, formatDateAt, formatShortDateTime } from '#web/format.ts'
import { apiKeysQuery } from '#web/shared/api-keys.ts'
import { isExpired } from '#web/shared/ExpiresField.tsx'
import { accountQuery } from '#web/shell/queries.ts'
import { defineAction, defineDelete } from '#web/ui/act.tsx'
import { exposeAction } from '#web/ui/actions.tsx'
import { actionsColumn } from '#web/ui/actions-column.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CopyField, SecretField } from '#web/ui/fields.tsx'
import { explainRefusal } from '#web/ui/form.tsx'
import { lateAct } from '#web/ui/late-acts.tsx'
import { Message } from '#web/ui/Message.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { PendingPanel } from '#web/ui/PendingPanel.tsx'
import { type Column, PlainTable } from '#web/ui/PlainTable.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { SecretDialog } from '#web/ui/SecretDialog.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { fieldWords } from '#web/words/fields.ts'
import { pieceWords } from '#web/words/pieces.ts'
import { pushDataWords } from '../text.ts'
import { baseUrl } from './base-url.ts'
import styles from './PushData.module.css'
import { TestRequest } from './TestRequest.tsx'

const newKey = lateAct(async () => (await import('./NewKey.tsx')).NewKey, {
  label: pushDataWords.keys.add,
  needs: createApiKey,
})

/** The account's keys, the one it pushes with first; below, what a system needs beside its key. */
export function Keys({ account }: { account: Account }) {
  const { id, apiKey } = account
  const answer = useQuery(apiKeysQuery(id))
  const may = usePermission()
  const show = useShownKey()
  const first = useCall(renewApiKey, {
    onSuccess: (changed) => {
      show(changed)
      showToast(pushDataWords.created)
    },
  })
  const buttons = (
    <div className="row">
      {!apiKey && (
        <Button small needs={renewApiKey} busy={first.busy} onClick={() => first.mutate({ params: { id } })}>
          {pushDataWords.create}
        </Button>
      )}
      <ActButton small look="primary" act={newKey} of={account} />
    </div>
  )
  return (
    <PendingPanel heading={pushDataWords.keys.heading} answer={answer} rows={4} aside={() => buttons}>
      {({ items }) => (
        <>
          {items.length > 0 && (
            <PlainTable
              label={pushDataWords.keys.heading}
              rows={items
                .toSorted((one, other) => Number(other.id === id) - Number(one.id === id))
                .map((key) => ({ ...key, accountId: id }))}
              columns={columnsIn(account)}
            />
          )}
          <div className="stack ruled inset-all">
            {!apiKey && may(renewApiKey) && <p>{pushDataWords.noKey}</p>}
            {first.error && <Message kind="error">{explainRefusal(first.error)}</Message>}
            <CopyField label={pushDataWords.baseUrl} value={baseUrl()} copyLabel={pushDataWords.copyBaseUrl} />
            {apiKey && <TestRequest key={apiKey} apiKey={apiKey} />}
          </div>
        </>
      )}
    </PendingPanel>
  )
}

/** Returns a function that shows a new push key at once. */
function useShownKey() {
  const client = useQueryClient()
  return (changed: Account) => client.setQueryData(accountQuery(changed.id).queryKey, changed)
}

const rightsOf = ({ rights }: ApiKey) => rights.map((right) => pushDataWords.keys.rights[right]).join(', ')

const columnsIn = ({ id, apiKey, timeZone }: Account): Column<OfAccount>[] => [
  {
    head: fieldWords.name,
    cell: (key) => (
      <>
        <span className="row">
          <span className="wrap">{key.name}</span>
          {isExpired(key) && <Badge tone="failed">{pieceWords.expires.over}</Badge>}
          {key.replacedBy && <Badge tone="waits">{pushDataWords.keys.replaced}</Badge>}
        </span>
        {key.id !== id && <p className="muted plain small">{rightsOf(key)}</p>}
      </>
    ),
  },
  {
    head: pushDataWords.keys.key,
    under: true,
    cell: (key) =>
      key.id === id && apiKey ? (
        <div className={`labels-hidden ${styles.pushKey}`}>
          <SecretField label={pushDataWords.apiKey} value={apiKey} />
        </div>
      ) : (
        <code className="whole">{pushDataWords.keys.lastFour({ lastFour: key.lastFour })}</code>
      ),
  },
  {
    head: pushDataWords.keys.lastUsed,
    wideOnly: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatAgo(lastUsedAt, timeZone) : pieceWords.expires.after.never),
  },
  {
    head: fieldWords.created,
    wideOnly: true,
    cell: ({ createdAt }) => formatDateAt(createdAt, timeZone),
  },
  {
    head: fieldWords.expires,
    wideOnly: true,
    cell: ({ expiresAt }) => (expiresAt ? formatShortDateTime(expiresAt, timeZone) : pieceWords.expires.after.never),
  },
  actionsColumn(({ name, lastFour }) => `${name} ${lastFour}`, [Replace, Rotate, Delete]),
]

type OfAccount = ApiKey & { accountId: string }

/** Replaces the key that the account pushes with. */
const Replace = exposeAction(
  defineAction(renewApiKey, ({ accountId }: OfAccount) => {
    const show = useShownKey()
    return {
      heading: pushDataWords.replaceHeading,
      submit: pushDataWords.replace,
      why: pushDataWords.replaceText,
      send: { params: { id: accountId } },
      danger: true,
      done: (changed) => {
        show(changed)
        return pushDataWords.replaced
      },
    }
  }),
  { label: pushDataWords.replace, when: ({ id, accountId }) => id === accountId },
)

/** Replaces the key after a confirmation, and shows the new one. */
const Rotate = exposeAction(
  defineAction(rotateApiKey, ({ id, accountId, name }: OfAccount) => ({
    heading: pushDataWords.keys.rotateHeading,
    submit: pushDataWords.keys.rotate,
    why: pushDataWords.keys.rotateText({ name }),
    send: { params: { id: accountId, keyId: id } },
    shows: ({ key }, { onClose }) => (
      <SecretDialog
        heading={name}
        label={pushDataWords.keys.label}
        secret={key}
        why={pushDataWords.keys.both}
        onClose={onClose}
      />
    ),
  })),
  { label: pushDataWords.keys.rotate, when: (key) => !key.replacedBy && !isExpired(key) },
)

const Delete = exposeAction(
  defineDelete(deleteApiKey, ({ id, accountId, name }: OfAccount) => ({
    resource: pushDataWords.keys.resource,
    name,
    send: { params: { id: accountId, keyId: id } },
  })),
  { label: pushDataWords.keys.delete },
)
