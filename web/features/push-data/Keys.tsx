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
import { t } from '../../words.ts'
import { baseUrl } from './base-url.ts'
import { NewKey } from './NewKey.tsx'
import styles from './PushData.module.css'
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
    <div className={styles.line}>
      <Button small onClick={() => setAction({ kind: 'add' })}>
        {t('pushData.keys.add')}
      </Button>
      <Button
        small
        look="primary"
        busy={renewal.call.busy && action === null}
        onClick={() => (apiKey ? setAction({ kind: 'generate' }) : renewal.start())}
      >
        {t('pushData.generate')}
      </Button>
    </div>
  )
  return (
    <>
      <PendingPanel heading={t('pushData.keys.heading')} answer={answer} rows={4} aside={() => buttons}>
        {({ items }) => (
          <>
            {items.length > 0 && (
              <PlainTable
                label={t('pushData.keys.heading')}
                rows={items.toSorted((one, other) => Number(other.id === id) - Number(one.id === id))}
                keyOf={(key) => key.id}
                columns={columnsIn(account, (kind, of) => setAction({ kind, of }))}
              />
            )}
            <div className={`${styles.stack} ${styles.beside}`}>
              {!apiKey && <p>{t('pushData.noKey')}</p>}
              {renewal.call.error && action === null && (
                <Message kind="error">{explainRefusal(renewal.call.error)}</Message>
              )}
              <CopyField label={t('pushData.baseUrl')} value={baseUrl()} copyLabel={t('pushData.copyBaseUrl')} />
              {apiKey && <TestRequest key={apiKey} apiKey={apiKey} />}
            </div>
          </>
        )}
      </PendingPanel>
      {action?.kind === 'generate' && (
        <Confirm
          danger
          heading={t('pushData.generateHeading')}
          confirm={t('pushData.generate')}
          call={renewal.call}
          onConfirm={renewal.start}
          onClose={close}
        >
          {t('pushData.generateText')}
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
      toast(t('pushData.generated'))
      onDone()
    },
  })
  return { call, start: () => call.mutate({ params: { id } }) }
}

const rightsOf = ({ rights }: ApiKey) => rights.map((right) => t(`pushData.keys.rights.${right}`)).join(', ')

const columnsIn = (
  { id, apiKey, timeZone }: Account,
  begin: (kind: 'rotate' | 'delete', key: ApiKey) => void,
): Column<ApiKey>[] => [
  {
    head: t('pushData.keys.name'),
    cell: (key) => (
      <span className={styles.name}>
        {key.name}
        {isExpired(key) && <Badge tone="failed">{t('expires.over')}</Badge>}
        {key.replacedBy && <Badge tone="waits">{t('pushData.keys.replaced')}</Badge>}
        {key.id !== id && <small className={styles.rightsOf}>{rightsOf(key)}</small>}
      </span>
    ),
  },
  {
    head: t('pushData.keys.key'),
    under: true,
    cell: (key) =>
      key.id === id && apiKey ? (
        <div className={styles.pushKey}>
          <SecretField label={t('pushData.apiKey')} value={apiKey} />
        </div>
      ) : (
        <code className={styles.lastFour}>{t('pushData.keys.lastFour', { lastFour: key.lastFour })}</code>
      ),
  },
  {
    head: t('pushData.keys.lastUsed'),
    wideOnly: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatAgo(lastUsedAt, timeZone) : t('expires.after.never')),
  },
  {
    head: t('pushData.keys.created'),
    wideOnly: true,
    cell: ({ createdAt }) => formatDateAt(createdAt, timeZone),
  },
  {
    head: t('expires.label'),
    wideOnly: true,
    cell: ({ expiresAt }) => (expiresAt ? formatShortDateTime(expiresAt, timeZone) : t('expires.after.never')),
  },
  {
    head: t('table.actions'),
    headHidden: true,
    numeric: true,
    cell: (key) => (
      <ActionMenu
        label={t('table.actionsFor', { name: `${key.name} ${key.lastFour}` })}
        actions={[
          ...(key.replacedBy || isExpired(key)
            ? []
            : [{ label: t('pushData.keys.rotate'), run: () => begin('rotate', key) }]),
          { label: t('pushData.keys.delete'), danger: true, run: () => begin('delete', key) },
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
        label={t('pushData.keys.label')}
        secret={key}
        why={t('pushData.keys.both')}
        onClose={onClose}
      />
    )
  return (
    <Confirm
      heading={t('pushData.keys.rotateHeading')}
      confirm={t('pushData.keys.rotate')}
      call={rotate}
      onConfirm={() => rotate.mutate({ params: { id: accountId, keyId: id } })}
      onClose={onClose}
    >
      {t('pushData.keys.rotateText', { name })}
    </Confirm>
  )
}

function Delete({ accountId, of: { id, name }, onClose }: ActProps) {
  const resource = t('pushData.keys.resource')
  const remove = useDialogCall(deleteApiKey, { done: t('toast.deleted', { resource }), onClose })
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
