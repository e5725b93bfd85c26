/** Key of the metadata of every span of a program that `glasshouse run` started: its run id. */
export const runKey = 'glasshouse_run';
