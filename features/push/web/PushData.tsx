import { renewApiKey } from '#contract/accounts.ts'
import { HowItWorks } from '#web/shared/HowItWorks.tsx'
import { PlayThrough } from '#web/shared/PlayThrough.tsx'
import { useOwnAccount } from '#web/shell/current.ts'
import { Page } from '#web/ui/Page.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { pageWords } from '#web/words/shell.ts'
import { Keys } from './Keys.tsx'
import { PushSamples } from './PushSamples.tsx'
import { RequestLog } from './RequestLog.tsx'

export function PushData() {
  const may = usePermission()
  const account = useOwnAccount()
  return (
    <Page heading={pageWords.pushData} actions={<PlayThrough accountId={account.id} />}>
      <HowItWorks of="push-data" unused={may(renewApiKey) && account.apiKey === null} />
      <Keys account={account} />
      <PushSamples accountId={account.id} />
      <RequestLog account={account} />
    </Page>
  )
}
