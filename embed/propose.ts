import { type ElementSelector, quoteCss, toCss } from './configuration.ts'
import { findAll } from './fields.ts'
import { isGenerated } from './generated.ts'

/** Most ancestors whose names may lead a query. */
const MOST_ANCESTORS = 12

/** Attributes that tell an element from its neighbours and rarely change. */
const TELLING = ['type', 'name', 'autocomplete', 'data-name', 'aria-label', 'placeholder']
/** Classes that come and go while a visitor uses the page. */
const STATES = /^(ng|is|has|js)-|focus|hover|activ|valid|error/

const isSteady = (name: string, form: RegExp) => form.test(name) && !isGenerated(name)

const idsOf = ({ id }: Element) => [id].filter((one) => isSteady(one, /^[a-z][\w:.-]*$/i))

const classesOf = (element: Element) =>
  Array.from(element.classList).filter((one) => isSteady(one, /^-?[a-z_][\w-]*$/i) && !STATES.test(one))

/** Returns the parent of an element, beyond its shadow root or frame too. */
export const findParent = (element: Element): Element | null => element.parentElement || findHost(element.getRootNode())

/** Returns the element around a shadow root, or the frame around a document. */
export const findHost = (root: Node): Element | null =>
  (root as ShadowRoot).host || ((root as Document).defaultView || window.self).frameElement

/**
 * Returns the simplest selector by which the script finds this element alone, as it reads below `scope`: its ID, its name,
 * a class, else the shortest query. An element outside `scope` gets one that finds none there.
 */
export function proposeSelector(element: Element, scope: ParentNode & Node): ElementSelector {
  const selector = (selectorType: ElementSelector['selectorType']) => (selectorValue: string) => ({
    selectorType,
    selectorValue,
  })
  const name = element.getAttribute('name')
  return (
    idsOf(element)
      .map((id) => selector('id')(`#${id}`))
      .concat(
        name && name === name.normalize().trim() ? selector('name')(name) : [],
        classesOf(element).map((one) => selector('class')(`.${one}`)),
      )
      .find((one) => finds(scope, toCss(one), element)) || selector('query-selector')(pathTo(element, scope))
  )
}

function finds(scope: ParentNode, css: string, element: Element): boolean {
  const [first, second] = findAll(css, scope)
  return first === element && !second
}

/** Returns the query of an element, stepping into each shadow root or frame between `scope` and it by `>>>`. */
function pathTo(element: Element, scope: ParentNode & Node): string {
  if (scope.contains(element)) return queryOf(element, scope)
  const root = element.getRootNode()
  const host = findHost(root)
  return (host ? `${pathTo(host, scope)} >>> ` : '') + queryOf(element, root as unknown as ParentNode)
}

/** Returns the shortest query that finds an element alone below `scope`, which contains it. */
function queryOf(element: Element, scope: ParentNode): string {
  let paths = queriesOf(element)
  let path = placeOf(element)
  for (let at = element; ; at = at.parentElement) {
    paths.push(path)
    let led = paths
    let up = at.parentElement
    for (let ancestors = 0; up && ancestors < MOST_ANCESTORS; ancestors++, up = up.parentElement)
      for (const name of queriesOf(up)) led = led.concat(paths.map((one) => `${name} ${one}`))
    const found = led.sort((a, b) => costOf(a) - costOf(b)).find((query) => finds(scope, query, element))
    if (found || !at.parentElement) return found || path
    path = `${placeOf(at.parentElement)} > ${path}`
    paths = []
  }
}

/** Its length; a place among siblings changes sooner than a name, so that it counts as a longer one. */
const costOf = (query: string) => query.length + 40 * query.split(':nth').length

/** Returns the queries of an element by its ID, its classes, its tag and its attributes. */
function queriesOf(element: Element): string[] {
  const tag = CSS.escape(element.localName)
  const attributes = TELLING.filter((name) => element.getAttribute(name)).map(
    (name) => `[${name}=${quoteCss(element.getAttribute(name)!)}]`,
  )
  return [tag].concat(
    idsOf(element).map((id) => `#${CSS.escape(id)}`),
    classesOf(element).map((one) => `.${one}`),
    attributes,
    attributes.map((one) => tag + one),
  )
}

/** Returns the tag of an element with its place among its siblings; outermost ones are in no element. */
const placeOf = (element: Element) =>
  `${CSS.escape(element.localName)}:nth-child(${Array.from(element.parentNode!.children).indexOf(element) + 1})${element.parentElement ? '' : ':not(* *)'}`
