import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { t } from '../../words.ts'
import { MailLog } from './MailLog.tsx'
import { Previews } from './Previews.tsx'
import { mailStatus, mailTabs } from './queries.ts'
import { SendTest } from './SendTest.tsx'

const panels = { log: MailLog, previews: Previews }

/** The mail settings, the log of mails, and a preview of every kind. */
export function MailScreen() {
  const { data: status } = useQuery(mailStatus)
  const [testing, setTesting] = useState(false)
  const tab = useTab(mailTabs)
  const Panel = panels[tab]
  return (
    <Page
      heading={t('pages.mail')}
      parent={<Link to="/admin/accounts">{t('pages.accounts')}</Link>}
      about={status?.server && <span>{t('mail.sentBy', { ...status.server, from: status.from })}</span>}
      actions={
        <Button look="primary" onClick={() => setTesting(true)}>
          {t('mail.test')}
        </Button>
      }
    >
      {status && !status.server && (
        <Message kind="info">
          {t('mail.noServer')} {t('mail.noServerHelp')}
        </Message>
      )}
      <Tabs label={t('mail.tabs')} tabs={mailTabs.map((key) => ({ key, label: t(`mail.${key}`) }))} current={tab}>
        <Panel />
      </Tabs>
      {testing && <SendTest isKept={status?.server === null} onClose={() => setTesting(false)} />}
    </Page>
  )
}
