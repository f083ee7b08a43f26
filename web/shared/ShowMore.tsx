import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/Button.tsx'

type Props = {
  answer: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  /** 'Show earlier events' */
  children: string
}

/** The button below a list in a panel that loads its next page; nothing once all pages are shown. */
export const ShowMore = ({ answer: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: Props) =>
  hasNextPage && (
    <div className="ruled inset-all">
      <Button small busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
