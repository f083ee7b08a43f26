import { useQuery } from '@tanstack/react-query'
import { createMyToken, deleteMyToken, NewUserToken, type UserToken } from '#contract/auth.ts'
import { formatAgo, formatDateAt, timeZoneHere } from '../../format.ts'
import { ExpiresField, isExpired, useExpires } from '../../shared/ExpiresField.tsx'
import { defineDelete } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { fieldWords } from '../../words/fields.ts'
import { pieceWords } from '../../words/pieces.ts'
import { profileWords } from '../../words/profile.ts'
import styles from './Profile.module.css'
import { tokensQuery } from './queries.ts'

/** Access tokens for assistants, which read with the user's permissions, and how to connect one. */
export function AccessTokens() {
  const answer = useQuery(tokensQuery)
  const heading = profileWords.tokens.heading
  return (
    <PendingPanel heading={heading} answer={answer} rows={2} aside={() => <ActButton small act={NewToken} of={{}} />}>
      {({ items }) => (
        <>
          <p className={`muted ${styles.inset}`}>{profileWords.tokens.why}</p>
          {items.length > 0 && <PlainTable label={heading} rows={items} columns={columns} />}
          <Connect />
        </>
      )}
    </PendingPanel>
  )
}

const columns: Column<UserToken>[] = [
  {
    head: fieldWords.name,
    cell: ({ name, lastFour }) => (
      <>
        <p className="wrap">{name}</p>
        <p className={`muted small ${styles.note}`}>{profileWords.tokens.lastFour({ lastFour })}</p>
      </>
    ),
  },
  {
    head: profileWords.lastUsed,
    cell: ({ lastUsedAt }) => (
      <span className="muted">
        {lastUsedAt ? formatAgo(lastUsedAt, timeZoneHere()) : pieceWords.expires.after.never}
      </span>
    ),
  },
  {
    head: fieldWords.expires,
    wideOnly: true,
    cell: (token) =>
      isExpired(token) ? (
        <Badge tone="failed">{pieceWords.expires.over}</Badge>
      ) : (
        <span className="muted">
          {token.expiresAt ? formatDateAt(token.expiresAt, timeZoneHere()) : pieceWords.expires.after.never}
        </span>
      ),
  },
  {
    head: profileWords.action,
    headHidden: true,
    numeric: true,
    cell: (token) => (
      <ActButton
        small
        aria-label={profileWords.tokens.deleteNamed({ name: `${token.name} ${token.lastFour}` })}
        act={DeleteToken}
        of={token}
      />
    ),
  },
]

/** The settings to paste into an assistant. */
function Connect() {
  const settings = {
    mcpServers: {
      tributary: {
        type: 'http',
        url: `${location.origin}/mcp`,
        headers: { Authorization: `Bearer ${profileWords.tokens.placeholder}` },
      },
    },
  }
  const text = JSON.stringify(settings, null, 2)
  return (
    <div className={`stack gap-2 ${styles.connect}`}>
      <div className="row between">
        <h3 className="strong">{profileWords.tokens.settings}</h3>
        <CopyButton small value={text} label={profileWords.tokens.copySettings} />
      </div>
      <CodeBlock>{text}</CodeBlock>
    </div>
  )
}

const NewToken = exposeAction(
  defineFormAction(createMyToken, NewUserToken, (_: object) => {
    const expires = useExpires()
    return {
      heading: profileWords.tokens.add,
      initial: { name: '' },
      send: (body) => ({ body: { ...body, ...expires.end } }),
      shows: ({ name, token }, { onClose }) => (
        <SecretDialog
          heading={name}
          label={profileWords.tokens.label}
          secret={token}
          why={profileWords.tokens.use}
          onClose={onClose}
        />
      ),
      fields: ({ field }) => (
        <>
          <TextField {...field('name')} autoComplete="off" />
          <ExpiresField {...expires.field} />
        </>
      ),
    }
  }),
  { label: profileWords.tokens.add },
)

const DeleteToken = defineDelete(deleteMyToken, ({ name }: UserToken) => ({
  resource: profileWords.tokens.resource,
  thing: profileWords.tokens.thing,
  name,
}))
