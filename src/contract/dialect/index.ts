/** The dialect of FACT clients and services: bodies written and read, outside the public contract. */
export * from './attribution.ts';
export * from './attributor.ts';
export * from './failure-header.ts';
export * from './history-search.ts';
export * from './observation.ts';
