import { renewApiKey } from '#contract/accounts.ts'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { PlayThrough } from '../../shared/PlayThrough.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { pageWords } from '../../words/shell.ts'
import { Keys } from './Keys.tsx'
import { PushSamples } from './PushSamples.tsx'
import { RequestLog } from './RequestLog.tsx'

const FrameHosts = lazyComponent(async () => (await import('./FrameHosts.tsx')).FrameHosts)

export function PushData() {
  const may = usePermission()
  const account = useOwnAccount()
  return (
    <Page heading={pageWords.pushData} actions={<PlayThrough accountId={account.id} />}>
      <HowItWorks of="push-data" unused={may(renewApiKey) && account.apiKey === null} />
      <Keys account={account} />
      <PushSamples accountId={account.id} />
      <FrameHosts key={account.id} accountId={account.id} />
      <RequestLog account={account} />
    </Page>
  )
}
