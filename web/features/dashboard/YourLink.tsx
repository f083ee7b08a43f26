import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createPartnerLink } from '#contract/links.ts'
import { LinkAddress } from '../../shared/LinkAddress.tsx'
import { partnerLinksQuery } from '../../shared/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.ts'
import { CopyIcon, DownIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { Empty } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { dashboardWords } from '../../words/dashboard.ts'
import { ownLinkWords } from '../../words/own-links.ts'
import styles from './YourLink.module.css'
import { OwnLinkDialog, QrButton, stoppedState, YourLinks, type YourLinksProps } from './YourLinks.tsx'

/** The partner's main link, ready to share; `children` are shown with the table of all, which is unfolded. */
export function YourLink({ partnerId, state, children }: YourLinksProps & { children: ReactNode }) {
  const answer = useInfiniteQuery(partnerLinksQuery(partnerId, { own: false }))
  const [showsAll, setShowsAll] = useState(false)
  const [adds, setAdds] = useState(false)
  const stopped = stoppedState(state)
  const templates = answer.data?.pages.flatMap(({ items }) => items) ?? []
  const domains = [...new Set(templates.flatMap((link) => link.domains))]
  const [main] = templates
  const addLink = () => {
    setAdds(true)
    // the new link appears in the table
    setShowsAll(true)
  }
  return (
    <>
      <PendingPanel heading={dashboardWords.yourLink} answer={answer} rows={2}>
        {() =>
          main ? (
            <div className={`stack gap-3 inset ${styles.main}`}>
              <OwnLinkDialog.OnUse />
              {stopped && <Message kind="warning">{dashboardWords.linksEarnNothing[stopped]}</Message>}
              <div className={styles.link}>
                <LinkAddress large url={main.shortUrl} />
                <div className="row">
                  <Button look="primary" icon={<CopyIcon size={16} />} onClick={() => copyText(main.shortUrl)}>
                    {dashboardWords.copyLink}
                  </Button>
                  <QrButton link={main} />
                  {domains.length > 0 && !stopped && (
                    <Button needs={createPartnerLink} onClick={addLink}>
                      {ownLinkWords.add}
                    </Button>
                  )}
                </div>
              </div>
              <div className={styles.all}>
                <Button
                  look="quiet"
                  small
                  icon={<DownIcon size={16} />}
                  aria-expanded={showsAll}
                  onClick={() => setShowsAll(!showsAll)}
                >
                  {dashboardWords.allLinks}
                </Button>
              </div>
            </div>
          ) : (
            <Empty hint={dashboardWords.noOwnLinks} />
          )
        }
      </PendingPanel>
      {showsAll && (
        <>
          <YourLinks unfolded partnerId={partnerId} state={state} />
          {children}
        </>
      )}
      {adds && <OwnLinkDialog act="add" of={{ id: partnerId, domains }} onClose={() => setAdds(false)} />}
    </>
  )
}
