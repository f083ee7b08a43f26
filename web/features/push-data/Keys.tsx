import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, renewApiKey } from '#contract/accounts.ts'
import { type ApiKey, deleteApiKey, rotateApiKey } from '#contract/api-keys.ts'
import { useCall } from '../../calls.ts'
import { formatAgo, formatDateAt, formatShortDateTime } from '../../format.ts'
import { isExpired } from '../../shared/ExpiresField.tsx'
import { account as accountQuery } from '../../shell/queries.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm, ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { CopyField, SecretField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { toast } from '../../ui/toasts.ts'
import { fieldWords } from '../../words/fields.ts'
import { tableWords } from '../../words/lists.ts'
import { pieceWords } from '../../words/pieces.ts'
import { pushDataWords } from '../../words/push-data.ts'
import { toastWords } from '../../words/shell.ts'
import { baseUrl } from './base-url.ts'
import styles from './Keys.module.css'
import { NewKey } from './NewKey.tsx'
import { apiKeys } from './queries.ts'
import { TestRequest } from './TestRequest.tsx'

type Action = { kind: 'generate' | 'add' } | { kind: 'rotate' | 'delete'; of: ApiKey }

/** The account's keys, the one it pushes with first; below, what a system needs beside its key. */
export function Keys({ account }: { account: Account }) {
  const { id, apiKey } = account
  const answer = useQuery(apiKeys(id))
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  const renewal = useRenewal(account, close)
  const buttons = (
    <div className="row">
      <Button small onClick={() => setAction({ kind: 'add' })}>
        {pushDataWords.keys.add}
      </Button>
      <Button
        small
        look="primary"
        busy={renewal.call.busy && action === null}
        onClick={() => (apiKey ? setAction({ kind: 'generate' }) : renewal.start())}
      >
        {pushDataWords.generate}
      </Button>
    </div>
  )
  return (
    <>
      <PendingPanel heading={pushDataWords.keys.heading} answer={answer} rows={4} aside={() => buttons}>
        {({ items }) => (
          <>
            {items.length > 0 && (
              <PlainTable
                label={pushDataWords.keys.heading}
                rows={items.toSorted((one, other) => Number(other.id === id) - Number(one.id === id))}
                keyOf={(key) => key.id}
                columns={columnsIn(account, (kind, of) => setAction({ kind, of }))}
              />
            )}
            <div className="stack ruled inset-all">
              {!apiKey && <p>{pushDataWords.noKey}</p>}
              {renewal.call.error && action === null && (
                <Message kind="error">{explainRefusal(renewal.call.error)}</Message>
              )}
              <CopyField label={pushDataWords.baseUrl} value={baseUrl()} copyLabel={pushDataWords.copyBaseUrl} />
              {apiKey && <TestRequest key={apiKey} apiKey={apiKey} />}
            </div>
          </>
        )}
      </PendingPanel>
      {action?.kind === 'generate' && (
        <Confirm
          danger
          heading={pushDataWords.generateHeading}
          confirm={pushDataWords.generate}
          call={renewal.call}
          onConfirm={renewal.start}
          onClose={close}
        >
          {pushDataWords.generateText}
        </Confirm>
      )}
      {action?.kind === 'add' && <NewKey accountId={id} onClose={close} />}
      {action?.kind === 'rotate' && <Rotate accountId={id} of={action.of} onClose={close} />}
      {action?.kind === 'delete' && <Delete accountId={id} of={action.of} onClose={close} />}
    </>
  )
}

/** Replaces the key that the account pushes with, or makes its first. */
function useRenewal({ id }: Account, onDone: () => void) {
  const client = useQueryClient()
  const call = useCall(renewApiKey, {
    onSuccess: (changed) => {
      client.setQueryData(accountQuery(id).queryKey, changed)
      toast(pushDataWords.generated)
      onDone()
    },
  })
  return { call, start: () => call.mutate({ params: { id } }) }
}

const rightsOf = ({ rights }: ApiKey) => rights.map((right) => pushDataWords.keys.rights[right]).join(', ')

const columnsIn = (
  { id, apiKey, timeZone }: Account,
  begin: (kind: 'rotate' | 'delete', key: ApiKey) => void,
): Column<ApiKey>[] => [
  {
    head: pushDataWords.keys.name,
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
    head: pushDataWords.keys.created,
    wideOnly: true,
    cell: ({ createdAt }) => formatDateAt(createdAt, timeZone),
  },
  {
    head: fieldWords.expires,
    wideOnly: true,
    cell: ({ expiresAt }) => (expiresAt ? formatShortDateTime(expiresAt, timeZone) : pieceWords.expires.after.never),
  },
  {
    head: tableWords.actions,
    headHidden: true,
    numeric: true,
    cell: (key) => (
      <ActionMenu
        small
        label={tableWords.actionsFor({ name: `${key.name} ${key.lastFour}` })}
        actions={[
          ...(key.replacedBy || isExpired(key)
            ? []
            : [{ label: pushDataWords.keys.rotate, run: () => begin('rotate', key) }]),
          { label: pushDataWords.keys.delete, danger: true, run: () => begin('delete', key) },
        ]}
      />
    ),
  },
]

type ActProps = { accountId: string; of: ApiKey; onClose: () => void }

/** Replaces the key after a confirmation, and shows the new one. */
function Rotate({ accountId, of: { id, name }, onClose }: ActProps) {
  const [key, setKey] = useState<string | null>(null)
  const rotate = useCall(rotateApiKey, { onSuccess: (rotated) => setKey(rotated.key) })
  if (key)
    return (
      <SecretDialog
        heading={name}
        label={pushDataWords.keys.label}
        secret={key}
        why={pushDataWords.keys.both}
        onClose={onClose}
      />
    )
  return (
    <Confirm
      heading={pushDataWords.keys.rotateHeading}
      confirm={pushDataWords.keys.rotate}
      call={rotate}
      onConfirm={() => rotate.mutate({ params: { id: accountId, keyId: id } })}
      onClose={onClose}
    >
      {pushDataWords.keys.rotateText({ name })}
    </Confirm>
  )
}

function Delete({ accountId, of: { id, name }, onClose }: ActProps) {
  const resource = pushDataWords.keys.resource
  const remove = useDialogCall(deleteApiKey, { done: toastWords.deleted({ resource }), onClose })
  return (
    <ConfirmDelete
      resource={resource}
      name={name}
      call={remove}
      onDelete={() => remove.mutate({ params: { id: accountId, keyId: id } })}
      onClose={onClose}
    />
  )
}
