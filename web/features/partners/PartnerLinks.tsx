import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import { LinkAddress } from '../../shared/LinkAddress.tsx'
import { partnerLinksQuery } from '../../shared/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Name } from '../../ui/Name.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { basicWords } from '../../words/basic.ts'
import { partnerWords } from '../../words/partners.ts'

/** The partner's links, to be copied and passed on; nothing without any. */
export function PartnerLinks({ partner: { id } }: { partner: Partner }) {
  const answer = useInfiniteQuery(partnerLinksQuery(id, { own: false }))
  const own = useInfiniteQuery(partnerLinksQuery(id, { own: true }))
  const added = own.data?.pages.flatMap(({ items }) => items) ?? []
  const links = answer.data?.pages
    .flatMap(({ items }) => items)
    .flatMap((link) => [link, ...added.filter(({ blueprintId }) => blueprintId === link.blueprintId)])
  if (links?.length === 0) return null
  return (
    <PendingPanel heading={partnerWords.links.heading} answer={{ ...answer, data: links }} rows={2}>
      {(links) => (
        <>
          <ul className="stack gap-1 inset">
            {links.map(({ id, blueprintId, name, shortUrl }) => (
              <li key={id ?? blueprintId} className="row">
                <div className="rest">
                  <Name>
                    <Link to="/links/$blueprintId" params={{ blueprintId }}>
                      {name}
                    </Link>
                  </Name>
                  <LinkAddress url={shortUrl} />
                </div>
                <CopyButton bare value={shortUrl} label={basicWords.actions.copyLink({ name })} />
              </li>
            ))}
          </ul>
          {answer.hasNextPage && (
            <div className="inset">
              <Button small busy={answer.isFetchingNextPage} onClick={() => answer.fetchNextPage()}>
                {partnerWords.links.more}
              </Button>
            </div>
          )}
        </>
      )}
    </PendingPanel>
  )
}
