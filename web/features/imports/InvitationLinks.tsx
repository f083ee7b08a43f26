import type { ImportResult } from '#contract/imports.ts'
import { ToPartner } from '../../shared/links.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { copyText } from '../../ui/copy.ts'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { importWords } from '../../words/imports.ts'
import styles from './InvitationLinks.module.css'

type Invitation = ImportResult['invitations'][number]

const SHOWN = 100

/** Links to pass on to the partners just created, if the server has no mail server to send them. */
export function InvitationLinks({ of: invitations }: { of: Invitation[] }) {
  const links = invitations.filter(({ url }) => url)
  const all = links.map(({ displayName, email, url }) => [displayName, email, url].join('\t')).join('\n')
  return (
    <div className="stack gap-2">
      <div className="row">
        <h3>{importWords.invitations}</h3>
        {links.length > 0 && (
          <Button small onClick={() => copyText(all)}>
            {importWords.copyAll}
          </Button>
        )}
      </div>
      {invitations.length > SHOWN && <p className="muted">{importWords.firstSkips({ count: SHOWN })}</p>}
      <PlainTable
        label={importWords.invitations}
        rows={invitations.slice(0, SHOWN)}
        keyOf={({ partnerId }) => partnerId}
        columns={columns()}
      />
    </div>
  )
}

const columns = (): Column<Invitation>[] => [
  {
    head: fieldWords.partner,
    cell: ({ partnerId, displayName }) => <ToPartner id={partnerId}>{displayName}</ToPartner>,
  },
  { head: importWords.fields.email, under: true, cell: ({ email }) => email },
  {
    head: importWords.invitationLink,
    cell: ({ displayName: name, url }) =>
      url ? (
        <span className={`row ${styles.link}`}>
          <code className="ellipsis">{url}</code>
          <CopyButton small value={url} label={basicWords.actions.copyLink({ name })} />
        </span>
      ) : (
        importWords.notSent
      ),
  },
]
