/* A Hex engine in GTP that takes the first empty cell. It exits at any unknown command. */

#include <stdio.h>
#include <string.h>

static char stones[19][19];
static int size = 11;

static void put(const char *cell, char colour)
{
    int row;
    if (sscanf(cell + 1, "%d", &row) == 1)
        stones[row - 1][cell[0] - 'a'] = colour;
}

static void choose(char colour)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (!stones[row][column]) {
                stones[row][column] = colour;
                printf("= %c%d\n\n", 'a' + column, row + 1);
                return;
            }
}

int main(void)
{
    char line[256], command[32], colour, cell[8];
    while (fgets(line, sizeof line, stdin) && sscanf(line, "%31s", command) == 1) {
        if (!strcmp(command, "genmove") && sscanf(line, "%*s %c", &colour) == 1) {
            choose(colour);
        } else if (!strcmp(command, "play") && sscanf(line, "%*s %c %7s", &colour, cell) == 2) {
            put(cell, colour);
            printf("=\n\n");
        } else if (!strcmp(command, "boardsize") && sscanf(line, "%*s %d", &size) == 1) {
            printf("=\n\n");
        } else if (!strcmp(command, "clear_board")) {
            memset(stones, 0, sizeof stones);
            printf("=\n\n");
        } else if (!strcmp(command, "name")) {
            printf("= First cell in C\n\n");
        } else if (!strcmp(command, "quit")) {
            printf("=\n\n");
            return 0;
        } else if (!strcmp(command, "version") || !strcmp(command, "list_commands") ||
                   !strcmp(command, "time_settings")) {
            printf("? unknown command\n\n");
        } else {
            return 1;
        }
        fflush(stdout);
    }
    return 0;
}
