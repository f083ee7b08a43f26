import { useInfiniteQuery } from '@tanstack/react-query'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { newsWords as words } from '../../words/announcements.ts'
import { dialogWords } from '../../words/pieces.ts'
import { NoteText } from './NoteText.tsx'
import { allNewsQuery } from './news-queries.ts'

/** All news for the partner, the newest first. */
export function AllNews({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const { timeZone } = useAccount()
  const answer = useInfiniteQuery(allNewsQuery(partnerId))
  return (
    <Dialog wide heading={words.all} onClose={onClose}>
      {answer.data ? (
        <>
          <ul className="items">
            {answer.data.pages
              .flatMap(({ items }) => items)
              .map((note) => (
                <li key={note.id} className="stack gap-2">
                  <NoteText {...note} timeZone={timeZone} />
                </li>
              ))}
          </ul>
          <ShowMore answer={answer}>{words.more}</ShowMore>
        </>
      ) : (
        <Pending answer={answer} rows={8} />
      )}
      <DialogActions>
        <Button data-first-focus onClick={onClose}>
          {dialogWords.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
