import { useQuery } from '@tanstack/react-query'
import { EntryPage } from '../../shell/EntryPage.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { mailWords } from '../../words/mail.ts'
import { MailLog } from './MailLog.tsx'
import { Previews } from './Previews.tsx'
import { mailStatusQuery, mailTabs } from './queries.ts'
import { SendTest } from './SendTest.tsx'

const panels = { log: MailLog, previews: Previews }

/** The mail settings, the log of mails, and a preview of every kind. */
export function MailScreen() {
  const { data: status } = useQuery(mailStatusQuery)
  const tab = useTab(mailTabs)
  const Panel = panels[tab]
  return (
    <EntryPage
      about={status?.server && <span>{mailWords.sentBy({ ...status.server, from: status.from })}</span>}
      actions={<ActButton look="primary" act={SendTest} of={{ isKept: status?.server === null }} />}
    >
      {status && !status.server && (
        <Message kind="info">
          {mailWords.noServer} {mailWords.noServerHelp}
        </Message>
      )}
      <Tabs label={mailWords.tabs} tabs={mailTabs.map((key) => ({ key, label: mailWords[key] }))} current={tab}>
        <Panel />
      </Tabs>
    </EntryPage>
  )
}
