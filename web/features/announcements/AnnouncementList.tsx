import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import {
  type Announcement,
  deleteAnnouncement,
  downloadAnnouncements,
  type listAnnouncements,
} from '#contract/announcements.ts'
import { formatCount, formatShortDateTime } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { searchText } from '../../lists/table-state.ts'
import { useList } from '../../lists/useList.ts'
import { announce } from '../../shared/announce-act.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { Prose } from '../../shared/Prose.tsx'
import { useAccount } from '../../shell/current.ts'
import { defineDelete } from '../../ui/act.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { announcementWords as words } from '../../words/announcements.ts'
import { basicWords } from '../../words/basic.ts'
import { dialogWords } from '../../words/pieces.ts'
import { pageWords } from '../../words/shell.ts'
import { announcements } from './queries.ts'

/** The announcements of an account; the one named in the address as `announcement` is open. */
export function AnnouncementList() {
  const { id: accountId, timeZone } = useAccount()
  const list = useList(announcements({ id: accountId }))
  const { table, answer } = list
  const { params, change } = useAddress()
  const may = usePermission()
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  const opened = searchText(params.announcement)
  const shown = answer.data?.items.find(({ id }) => id === opened)
  return (
    <>
      <DataTable
        name={words.tab}
        page={pageWords.partners}
        plural={words.plural}
        rowsAre="items"
        list={list}
        csv={{ endpoint: downloadAnnouncements, atHead: true }}
        columns={columns}
        nameOf={nameOf}
        actions={may(deleteAnnouncement) ? [DeleteAnnouncement] : undefined}
        empty={{ icon: <MailIcon />, hint: words.none, action: <NewAnnouncementButton /> }}
      />
      {shown && (
        <OneAnnouncement
          key={shown.id}
          announcement={shown}
          timeZone={timeZone}
          onClose={() => change({ announcement: undefined }, { trail: table.trail })}
        />
      )}
    </>
  )
}

const nameOf = ({ subject }: Announcement) => subject

const column = defineColumns<typeof listAnnouncements>()

const columnsIn = (timeZone: string): ColumnOf<typeof listAnnouncements>[] => [
  column.first(['subject', 'body'], words.subject, {}, ({ id, subject }) => (
    <Link
      to="."
      search={(before: object) => ({ ...before, announcement: id })}
      state={(before) => before}
      resetScroll={false}
    >
      {subject}
    </Link>
  )),
  column.day('createdAt', words.sent, timeZone, { sort: true }),
  column.of(
    'sentBy',
    words.by,
    { card: 'under' },
    ({ sentBy }) => sentBy ?? <span className="muted">{basicWords.absent}</span>,
  ),
  column.count('recipients', words.recipients),
  column.count('mailed', words.mailed),
  column.count('turnedOff', words.off),
  column.count('failed', words.failed),
]

/** Opens the dialog 'New announcement', to all active partners. */
export const NewAnnouncementButton = () => (
  <ActButton adds act={announce} of={{ accountId: useAccount().id }}>
    {words.add}
  </ActButton>
)

const DeleteAnnouncement = defineDelete(deleteAnnouncement, ({ subject }: Announcement) => ({
  name: subject,
  resource: words.resource,
  thing: words.thing,
  also: words.deleteWhy,
}))

type Props = { announcement: Announcement; timeZone: string; onClose: () => void }

/** An announcement as it was written, with the status of its mails. */
function OneAnnouncement({ announcement, timeZone, onClose }: Props) {
  const [deleting, setDeleting] = useState(false)
  const { subject, body } = announcement
  if (deleting) return <DeleteAnnouncement of={announcement} onClose={onClose} />
  return (
    <Dialog wide heading={subject} onClose={onClose}>
      <Facts beside label={words.resource} facts={factsOf(announcement, timeZone)} />
      <div className="stack gap-2">
        <Prose text={body} />
      </div>
      <DialogActions>
        <Button data-first-focus onClick={onClose}>
          {dialogWords.close}
        </Button>
        <Button look="remove" needs={deleteAnnouncement} onClick={() => setDeleting(true)}>
          {words.deleteAction}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function factsOf({ createdAt, sentBy, recipients, mailed, turnedOff, failed }: Announcement, timeZone: string): Fact[] {
  return [
    { label: words.sent, value: formatShortDateTime(createdAt, timeZone) },
    sentBy && { label: words.by, value: sentBy },
    { label: words.recipients, value: formatCount(recipients) },
    { label: words.mailed, value: formatCount(mailed) },
    { label: words.off, value: formatCount(turnedOff) },
    { label: words.failed, value: formatCount(failed) },
  ]
}
