import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { Block, Inline } from '../../build/help-pages.ts'
import { useRole } from '../../shell/current.ts'
import { DOCS, type HelpPage, pagesFor, readsDocs } from '../../shell/help-pages.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { PathLink } from '../../ui/PathLink.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { t } from '../../words.ts'
import styles from './Help.module.css'
import { helpSummary, helpText } from './queries.ts'

/** All help pages for the user's role. */
export function HelpList() {
  const role = useRole()?.type
  const pages = pagesFor(role)
  return (
    <Page heading={t('help.heading')}>
      <Panel>
        {pages.length === 0 ? (
          <Empty hint={t('help.none')} />
        ) : (
          <ul className={styles.list}>
            {pages.map(({ page }) => (
              <li key={page}>
                <Link to="/help/$page" params={{ page }}>
                  {t(`help.titles.${page}`)}
                </Link>
                <p>{helpSummary(page)}</p>
              </li>
            ))}
            {readsDocs(role) && (
              <li>
                <a href={DOCS}>{t('help.docs')}</a>
                <p>{t('help.docsAbout')}</p>
              </li>
            )}
          </ul>
        )}
      </Panel>
    </Page>
  )
}

/** Links to the other pages, next to the one shown. */
function Others() {
  const pages = pagesFor(useRole()?.type)
  return (
    <Panel heading={t('help.all')}>
      <ul className={styles.others}>
        {pages.map(({ page }) => (
          <li key={page}>
            <Link to="/help/$page" params={{ page }}>
              {t(`help.titles.${page}`)}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const back = () => <Link to="/help">{t('help.heading')}</Link>

export function OneHelpPage({ page }: { page: string }) {
  const known = pagesFor(useRole()?.type).find((one) => one.page === page)
  if (known) return <Text page={known.page} />
  return (
    <Page heading={t('pages.notFound')} parent={back()}>
      <Panel>
        <Empty hint={t('help.notFound')} />
      </Panel>
    </Page>
  )
}

function Text({ page }: { page: HelpPage }) {
  const { data, error, refetch, isFetching } = useQuery(helpText(page))
  return (
    <Page heading={t(`help.titles.${page}`)} parent={back()}>
      <TwoColumns form aside={<Others />}>
        <Panel>
          {data ? (
            <article className={styles.text}>
              {data.map((block, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
                <OneBlock key={at} block={block} />
              ))}
            </article>
          ) : error ? (
            <Failed onRetry={refetch} busy={isFetching} />
          ) : (
            <Skeleton rows={8} />
          )}
        </Panel>
      </TwoColumns>
    </Page>
  )
}

function OneBlock({ block }: { block: Block }) {
  if ('heading' in block) return <h2>{block.heading}</h2>
  if ('paragraph' in block) return <p>{inline(block.paragraph)}</p>
  if ('code' in block) return <CodeBlock>{block.code}</CodeBlock>
  if ('rows' in block)
    return (
      <div className={styles.table}>
        <table>
          <thead>
            <tr>
              {each(block.head, (cell) => (
                <th scope="col">{inline(cell)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {each(block.rows, (row) => (
              <tr>
                {each(row, (cell) => (
                  <td>{inline(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  const items = each(block.items, (item) => <li>{inline(item)}</li>)
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
}

const each = <T,>(things: readonly T[], show: (thing: T) => ReactNode) =>
  things.map((thing, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Fragment key={at}>{show(thing)}</Fragment>
  ))

const inline = (pieces: Inline[]): ReactNode =>
  each(pieces, (piece) => {
    if (typeof piece === 'string') return piece
    if ('strong' in piece) return <strong>{inline(piece.strong)}</strong>
    if ('code' in piece) return <code>{piece.code}</code>
    // served by the same server, outside the application
    if (piece.href.startsWith('/api/') || piece.href.startsWith(DOCS))
      return <a href={piece.href}>{inline(piece.text)}</a>
    return <PathLink path={piece.href}>{inline(piece.text)}</PathLink>
  })
