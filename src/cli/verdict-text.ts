import { datetimeToWire, type ReadEvidence, type ReadFinding, type ReadResponse } from '../contract/index.ts';
import type { Style } from './terminal.ts';

/**
 * The verdict for people: findings with their evidence, then what stayed open. Ends each line with a newline. Paths
 * below `folder` are shown from there.
 */
export function verdictText(response: ReadResponse, style: Style, folder: string): string {
  const blocks = response.attributions.map(finding => findingText(finding, style, folder));
  if (blocks.length === 0) blocks.push(`${style.strong('UNKNOWN')}  no node and no cause is named\n`);
  const open = response.unattributedTargets.map(target => (target.type === 'Node' ? target.node : target.type));
  if (open.length > 0) blocks.push(`  open  worth a look, though nothing is concluded: ${open.join(', ')}\n`);
  if (response.error !== null) blocks.push(`  note  ${response.error.type}: ${response.error.message}\n`);
  return blocks.join('');
}

function findingText(finding: ReadFinding, style: Style, folder: string): string {
  const target = finding.target.type === 'Node' ? `NODE  ${finding.target.node}` : 'JOB   all its resources';
  const confidence = finding.confidence === null ? '' : `  confidence ${finding.confidence.toFixed(3)}`;
  const when = datetimeToWire(finding.observedAt);
  const head = `${style.alarm(style.strong(target))}  ${finding.category}${confidence}  ${when}\n`;
  const cited = finding.evidence.filter(item => item.reference !== null);
  const notes = finding.evidence.filter(item => item.reference === null);
  return [
    head,
    ...cited.map((item, index) => `  ${index === 0 ? 'why' : '   '}   ${evidenceText(item, style, folder)}\n`),
    ...notes.map(item => `  note  ${item.message}\n`),
  ].join('');
}

function evidenceText(item: ReadEvidence, style: Style, folder: string): string {
  const time = item.observedAt === null ? 'undated' : timeOfDay(datetimeToWire(item.observedAt));
  const head = [time, item.node ?? '', item.kind].filter(part => part !== '').join(' ');
  return `${head}  ${item.message}\n          ${style.faint(`[${item.source} ${fromFolder(item.reference ?? '', folder)}]`)}`;
}

/** `2026-03-02T10:04:11.250000Z` -> `10:04:11`. */
function timeOfDay(datetime: string): string {
  return datetime.slice(11, 19);
}

/** Text with the paths below a folder told from there. */
export function fromFolder(text: string, folder: string): string {
  return text.replaceAll(`${folder}/`, '');
}
