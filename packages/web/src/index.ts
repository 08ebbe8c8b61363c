/** The folder of the files that a browser loads, served under `/assets/`. */
export const web_folder = new URL('../public/', import.meta.url).pathname;
