import { Fragment } from 'react'

/** An email address that breaks after its @ rather than in the middle of a word. */
export const Email = ({ children }: { children: string }) => <Broken parts={children.split(/(?<=@)(?!.*@)/)} />

/** The address of a page, which breaks after its slashes, dots and hyphens. */
export const PageAddress = ({ children }: { children: string }) => <Broken parts={children.split(/(?<=[/.-])(?=\w)/)} />

const Broken = ({ parts }: { parts: string[] }) =>
  parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name and never move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
