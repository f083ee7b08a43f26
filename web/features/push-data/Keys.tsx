import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { type ApiKey, deleteApiKey, rotateApiKey } from '#contract/api-keys.ts'
import { useCall } from '../../calls.ts'
import { formatAgo, formatDateAt, formatShortDateTime } from '../../format.ts'
import { isExpired } from '../../shared/ExpiresField.tsx'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm, ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { Empty } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { t } from '../../words.ts'
import { NewKey } from './NewKey.tsx'
import styles from './PushData.module.css'
import { apiKeys } from './queries.ts'

type Action = { kind: 'add' } | { kind: 'rotate' | 'delete'; of: ApiKey }

/** All keys of the account, the main one first: rights and last use. */
export function Keys({ account: { id, timeZone } }: { account: Account }) {
  const answer = useQuery(apiKeys(id))
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  const add = (
    <Button small onClick={() => setAction({ kind: 'add' })}>
      {t('pushData.keys.add')}
    </Button>
  )
  return (
    <>
      <PendingPanel heading={t('pushData.keys.heading')} answer={answer} rows={3} aside={() => add}>
        {({ items }) =>
          items.length > 0 ? (
            <PlainTable
              label={t('pushData.keys.heading')}
              rows={items.toSorted((one, other) => Number(other.id === id) - Number(one.id === id))}
              keyOf={(key) => key.id}
              columns={columnsIn(timeZone, (kind, of) => setAction({ kind, of }))}
            />
          ) : (
            <Empty hint={t('pushData.keys.none')} />
          )
        }
      </PendingPanel>
      {action?.kind === 'add' && <NewKey accountId={id} onClose={close} />}
      {action?.kind === 'rotate' && <Rotate accountId={id} of={action.of} onClose={close} />}
      {action?.kind === 'delete' && <Delete accountId={id} of={action.of} onClose={close} />}
    </>
  )
}

const rightsOf = ({ rights }: ApiKey) => rights.map((right) => t(`pushData.keys.rights.${right}`)).join(', ')

const columnsIn = (timeZone: string, begin: (kind: 'rotate' | 'delete', key: ApiKey) => void): Column<ApiKey>[] => [
  {
    head: t('pushData.keys.name'),
    cell: (key) => (
      <span className={styles.name}>
        {key.name}
        {isExpired(key) && <Badge tone="failed">{t('expires.over')}</Badge>}
        {key.replacedBy && <Badge tone="waits">{t('pushData.keys.replaced')}</Badge>}
        <small className={styles.narrowRights}>{rightsOf(key)}</small>
      </span>
    ),
  },
  {
    head: t('pushData.keys.rightsHead'),
    wideOnly: true,
    cell: rightsOf,
  },
  {
    head: t('pushData.keys.key'),
    cell: ({ lastFour }) => <code className={styles.lastFour}>{t('pushData.keys.lastFour', { lastFour })}</code>,
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
