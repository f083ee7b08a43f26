import { CopyButton } from '../ui/CopyButton.tsx'
import { programWords as words } from '../words/applications.ts'

/** The links to a public page, beside its settings. */
export const PageLinks = ({ url }: { url: string }) => (
  <div className="row">
    <a href={url} target="_blank" rel="noopener">
      {words.viewPage}
    </a>
    <CopyButton small value={url} label={words.copyLink}>
      {words.copyLink}
    </CopyButton>
  </div>
)
