import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AttributionRequest } from '../../contract/index.ts';
import type { NodeIdentity } from '../../core/ports.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { undoubtedNames } from '../../lines/undoubted-names.ts';
import { errorCode, type Found, findInside } from './inside-root.ts';
import { isJobFolder, isNamedAsJobOutput, isSurelyJobOutput } from './job-output.ts';
import { isByNode, type Place, placeOfFolder } from './layout.ts';
import { type NodeOfFile, nodeOfDaemonLog, nodeOfFile } from './node-of-file.ts';
import type { FilesRoot, FilesSettings } from './settings.ts';
import { expandTemplate } from './template.ts';

/** One file that may hold evidence. */
export interface EvidenceFile {
  /** As references quote it: the root as it was given, and the way down from it. */
  readonly path: string;
  readonly found: Found;
  readonly place: Place;
  /** Whose own file it is, where layout says so; spelled as in the job where it joins. */
  readonly node: string | null;
  /** Why it counts as job text although its place does not say so; null where place says what it is, or nothing. */
  readonly assumed: string | null;
  /** Name of the folder below the root that it lies in; null where it lies in the root itself. */
  readonly folder: string | null;
  /** The one node asked about, where no other file may be a kernel log: whose this one is if nothing says otherwise. */
  readonly sole: string | null;
}

export interface Left {
  readonly place: Place;
  readonly node: string | null;
  readonly reason: string;
}

/** What there is to read for one request. */
export interface Survey {
  readonly files: readonly EvidenceFile[];
  /** Places that exist, with or without files in them. */
  readonly places: ReadonlySet<Place>;
  /** Roots (`loose`) and files by node that were asked for and cannot be read, each with its reason. */
  readonly broken: readonly { readonly place: Place; readonly text: string }[];
  /** Whose files of a place were not listed, as there are too many or they lie too deep; null: nobody's, or everybody's. */
  readonly left: readonly Left[];
  /** Whether the deadline came before everything was listed. */
  readonly cut: boolean;
  /** What was passed over, as sentences. */
  readonly remarks: readonly { readonly place: Place; readonly text: string }[];
}

/** Deeper folders are not entered. */
const deepest = 8;
const namedInRemarks = 3;

/** Walks the roots. Nothing is opened; links are followed only inside their root, and nothing is listed twice. */
export async function surveyRoots(
  settings: FilesSettings,
  request: AttributionRequest,
  nodes: readonly NodeIdentity[],
  signal: AbortSignal,
): Promise<Survey> {
  const walk: Walk = {
    settings,
    signal,
    directory: nodeDirectory(nodes),
    files: [],
    places: new Set(),
    broken: [],
    passedOver: new Map(),
    left: new Map(),
    seen: new Set(),
  };
  for (const root of settings.roots) await surveyRoot(walk, root, request, nodes);
  const { files, doubted } = apartFromOthers(walk, soleNode(walk, request));
  const doubts =
    doubted === 0
      ? []
      : [
          {
            place: 'kernel' as const,
            text: `${doubted} files are named after machines that may be of another cluster`,
          },
        ];
  return {
    files,
    places: walk.places,
    broken: walk.broken,
    left: [...walk.left.values()],
    cut: signal.aborted,
    remarks: [
      ...[...walk.passedOver.values()].map(entry => ({ place: entry.place, text: remark(entry) })),
      ...doubts,
    ],
  };
}

/** A file with the name of its node as its path has it. */
type WalkedFile = Omit<EvidenceFile, 'sole'> & { readonly written: string | null };

/** Files whose names may mean another cluster's machine of the same short name are that machine's. */
function apartFromOthers(walk: Walk, sole: string | null) {
  // What is not listed has its say too.
  const named = new Map(
    [...walk.files, ...walk.left.values()].flatMap(({ node, written }) =>
      node === null || written === null ? [] : [[written, node] as const],
    ),
  );
  const undoubted = undoubtedNames(named, walk.directory);
  let doubted = 0;
  const files = walk.files.map(({ written, ...file }): EvidenceFile => {
    const found = { ...file, sole: mayBeKernelLog(file) ? sole : null };
    if (written === null || undoubted.has(written)) return found;
    doubted += 1;
    return { ...found, node: written };
  });
  return { files, doubted };
}

function soleNode(walk: Walk, { scope }: AttributionRequest): string | null {
  const [asked, ...others] = new Set(scope.nodes);
  const isLone = walk.left.size === 0 && walk.files.filter(mayBeKernelLog).length === 1;
  return asked !== undefined && others.length === 0 && isLone ? asked : null;
}

const mayBeKernelLog = ({ place }: Pick<EvidenceFile, 'place'>): boolean =>
  place === 'loose' || place === 'kernel';

interface Walk {
  readonly settings: FilesSettings;
  readonly signal: AbortSignal;
  readonly directory: NodeDirectory;
  readonly files: WalkedFile[];
  readonly places: Set<Place>;
  readonly broken: { readonly place: Place; readonly text: string }[];
  readonly passedOver: Map<string, PassedOver>;
  readonly left: Map<string, Left & { readonly written: string | null }>;
  /** Paths without links that were visited. */
  readonly seen: Set<string>;
}

/** What was passed over for one reason. */
interface PassedOver {
  readonly place: Place;
  readonly reason: string;
  readonly shown: string[];
  count: number;
}

/** Where a walk stands below a root. */
interface Spot {
  readonly rootReal: string;
  readonly path: string;
  readonly place: Place;
  readonly node: string | null;
  /** The same as the path has it; null where a template put it there. */
  readonly written: string | null;
  readonly depth: number;
  /** Why what lies about here is job text, where something says so. */
  readonly assumed: string | null;
}

const byName = 'by its name';
const byFolder = 'by its folder';
const byNeighbours = 'as it lies beside kernel/, job/ or scheduler/';

async function surveyRoot(
  walk: Walk,
  root: FilesRoot,
  request: AttributionRequest,
  nodes: readonly NodeIdentity[],
): Promise<void> {
  let rootReal: string;
  try {
    rootReal = await realpath(root.path);
  } catch (error) {
    walk.broken.push({ place: 'loose', text: `${root.path} could not be read (${errorCode(error)})` });
    return;
  }
  if (root.templates.length === 0) {
    await visit(walk, {
      rootReal,
      path: root.path,
      place: 'loose',
      node: null,
      written: null,
      depth: 0,
      assumed: null,
    });
    const said = walk.broken.length + walk.passedOver.size;
    if (walk.files.length === 0 && said === 0) pass(walk, 'loose', `${root.path} holds no file`, null);
    return;
  }
  for (const { path: template, origin } of root.templates) {
    if (origin !== null) walk.places.add(origin);
    const { paths, refused } = expandTemplate(template, request, nodes);
    for (const reason of refused) pass(walk, origin ?? 'loose', reason, null);
    for (const { candidates, node } of paths) {
      const path = await firstExisting(rootReal, root.path, candidates);
      if (path === null) continue;
      await visit(walk, {
        rootReal,
        path,
        place: origin ?? 'loose',
        node,
        written: null,
        depth: 0,
        assumed: null,
      });
    }
  }
}

async function firstExisting(
  rootReal: string,
  root: string,
  candidates: readonly string[],
): Promise<string | null> {
  for (const candidate of candidates) {
    const path = join(root, candidate);
    const found = await findInside(rootReal, path);
    if (found.kind !== 'refused' || !found.missing) return path;
  }
  return null;
}

async function visit(walk: Walk, spot: Spot): Promise<void> {
  if (walk.signal.aborted) return;
  const found = await findInside(spot.rootReal, spot.path);
  if (found.kind === 'refused') {
    if (spot.depth === 0 || isByNode(spot.place)) {
      walk.broken.push({ place: spot.place, text: `${spot.path}: ${found.reason}` });
    } else pass(walk, spot.place, found.reason, spot.path);
    return;
  }
  if (walk.seen.has(found.real)) return;
  walk.seen.add(found.real);
  if (found.kind === 'file') list(walk, spot, found);
  else await enter(walk, placed(walk, spot));
}

/**
 * What the name of a folder adds. Those of the layout count at the top of a root alone: below `job/` a job's owner
 * could make a `kernel/`. `kernel/<node>/...` belongs to the node as `kernel/<node>.*` does.
 */
function placed(walk: Walk, spot: Spot): Spot {
  const name = basename(spot.path);
  if (spot.place === 'loose') {
    const place = spot.depth === 1 ? placeOfFolder(name) : null;
    if (place !== null) return { ...spot, place, assumed: null };
    return { ...spot, assumed: spot.assumed ?? (isJobFolder(name) ? byFolder : null) };
  }
  if (spot.depth === 0 || spot.node !== null || !isByNode(spot.place)) return spot;
  return { ...spot, ...ownerOf(nodeOfFile(name, walk.directory)) };
}

function list(walk: Walk, spot: Spot, found: Found): void {
  const assumed = assumedJobText(walk, spot);
  const place = assumed === null ? spot.place : 'job';
  walk.places.add(place);
  const own = spot.node === null ? ownerOf(nodeByName(walk, spot)) : spot;
  const { node, written } = assumed === null ? own : ownerOf(null);
  if (walk.files.length >= walk.settings.mostFiles) {
    leave(
      walk,
      { ...spot, place, node, written },
      `there are more than ${walk.settings.mostFiles} files (mostFiles)`,
    );
    return;
  }
  const folder = spot.depth > 1 ? basename(dirname(spot.path)) : null;
  walk.files.push({ path: spot.path, found, place, node, written, assumed, folder });
}

/**
 * Whoever runs a job writes its output, whatever it says there. So a name that only output has takes back what place
 * says, and of what lies about only that may count as more which nothing but its content can tell.
 */
function assumedJobText({ settings }: Walk, { path, place, assumed }: Spot): string | null {
  const name = basename(path);
  if (place === 'kernel' || place === 'scheduler') return isSurelyJobOutput(name) ? byName : null;
  if (place !== 'loose' || settings.trust === 'configured') return null;
  return isNamedAsJobOutput(name) ? byName : assumed;
}

function ownerOf(named: NodeOfFile | null): { readonly node: string | null; readonly written: string | null } {
  return { node: named?.node ?? null, written: named?.written ?? null };
}

function nodeByName(walk: Walk, spot: Spot): NodeOfFile | null {
  const name = basename(spot.path);
  if (spot.place === 'scheduler') return nodeOfDaemonLog(name, walk.directory);
  return isByNode(spot.place) ? nodeOfFile(name, walk.directory) : null;
}

async function enter(walk: Walk, spot: Spot): Promise<void> {
  if (spot.place !== 'loose') walk.places.add(spot.place);
  if (spot.depth > deepest) {
    leave(walk, spot, `folders below the ${deepest}th level are not entered`);
    return;
  }
  let entries: Dirent[];
  try {
    entries = await readdir(spot.path, { withFileTypes: true });
  } catch (error) {
    walk.broken.push({ place: spot.place, text: `${spot.path} could not be listed (${errorCode(error)})` });
    return;
  }
  const laidOut = spot.place === 'loose' && spot.depth === 0 && entries.some(isLayoutFolder);
  const assumed = laidOut ? byNeighbours : spot.assumed;
  for (const name of entries.map(entry => entry.name).sort()) {
    const path = join(spot.path, name);
    if (name.startsWith('.')) pass(walk, spot.place, 'hidden files are not read', path);
    else await visit(walk, { ...spot, path, depth: spot.depth + 1, assumed });
  }
}

/** Whoever lays out a folder for these leaves nothing of a node beside them. */
function isLayoutFolder(entry: Dirent): boolean {
  const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink();
  return mayBeFolder && ['kernel', 'job', 'scheduler'].includes(entry.name);
}

/** Leaves out what may hold evidence. */
function leave(walk: Walk, { place, node, written, path }: Spot, reason: string): void {
  pass(walk, place, reason, path);
  walk.left.set(`${place} ${written ?? node}`, { place, node, written, reason });
}

function pass(walk: Walk, place: Place, reason: string, path: string | null): void {
  const key = `${place}: ${reason}`;
  const known = walk.passedOver.get(key) ?? { place, reason, shown: [], count: 0 };
  walk.passedOver.set(key, known);
  if (path === null) return;
  known.count += 1;
  if (known.shown.length < namedInRemarks) known.shown.push(path);
}

function remark({ reason, shown, count }: PassedOver): string {
  if (count === 0) return reason;
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `not read: ${shown.join(', ')}${more}: ${reason}`;
}
