// A Hex engine that speaks the SAU platform's protocol and plays at random: a template
// for your own.
//
// The first part is the game, the second the protocol; neither depends on the other.
// For another game, replace the first part; for a better engine, start with choose().

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// ---- The game: Hex, 11 columns and 11 rows -----------------------------------------------------

const char* const NAME = "random hex (C++, sau)";
const int SIZE = 11;

using Move = int;  // a cell: column + SIZE * row, both from 0, row 0 on top

// A position. Red (r) moves first and connects top and bottom, blue (b) left and right.
struct Game {
    std::string stones = std::string(SIZE * SIZE, '.');
    char to_move = 'r';

    static char other(char side) { return side == 'r' ? 'b' : 'r'; }

    // All legal moves: the empty cells.
    std::vector<Move> moves() const {
        std::vector<Move> cells;
        for (Move cell = 0; cell < SIZE * SIZE; ++cell)
            if (stones[cell] == '.') cells.push_back(cell);
        return cells;
    }

    // Plays a legal move.
    void play(Move cell) {
        stones[cell] = to_move;
        to_move = other(to_move);
    }

    // Takes back the last move.
    void undo(Move cell) {
        stones[cell] = '.';
        to_move = other(to_move);
    }

    // Whether the side that moved last has connected its edges.
    bool is_over() const {
        const char last = other(to_move);
        std::vector<bool> seen(SIZE * SIZE);
        std::vector<Move> reached;
        auto reach = [&](int column, int row) {
            if (column < 0 || column >= SIZE || row < 0 || row >= SIZE) return;
            const Move cell = column + SIZE * row;
            if (stones[cell] != last || seen[cell]) return;
            seen[cell] = true;
            reached.push_back(cell);
        };
        for (int i = 0; i < SIZE; ++i) last == 'r' ? reach(i, 0) : reach(0, i);
        while (!reached.empty()) {
            const int column = reached.back() % SIZE, row = reached.back() / SIZE;
            reached.pop_back();
            if ((last == 'r' ? row : column) == SIZE - 1) return true;
            const int steps[6][2] = {{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}};
            for (auto& step : steps) reach(column + step[0], row + step[1]);
        }
        return false;
    }
};

// A move as the platform writes it: two letters, column from the left and row from the top.
Move read_move(const std::string& text) {
    return (text[0] | 0x20) - 'a' + SIZE * ((text[1] | 0x20) - 'a');
}

std::string write_move(Move cell) {
    return {char('A' + cell % SIZE), char('A' + cell / SIZE)};
}

// The engine's move, except those that the platform has refused. Put your search here.
// The platform sends no time: your engine must limit itself.
Move choose(const Game& game, const std::vector<Move>& refused) {
    static std::mt19937 random(std::chrono::steady_clock::now().time_since_epoch().count());
    std::vector<Move> moves = game.moves();
    std::shuffle(moves.begin(), moves.end(), random);
    auto is_new = [&](Move move) {
        return std::find(refused.begin(), refused.end(), move) == refused.end();
    };
    const auto found = std::find_if(moves.begin(), moves.end(), is_new);
    return found == moves.end() ? moves[0] : *found;
}

// ---- The protocol ------------------------------------------------------------------------------

// Writes a line and flushes it: a buffered line never reaches the platform.
void say(const std::string& line) { std::cout << line << std::endl; }

int main() {
    Game game;
    char own = 0;               // the engine's colour; 0 outside a game
    Move last = -1;             // its last move; -1 for none
    std::vector<Move> refused;  // moves that the platform refused in this turn
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);  // also removes a CR before the line end
        std::string command, word;
        words >> command >> word;
        if (command == "name?") {
            say(std::string("name ") + NAME);
        } else if (command == "new") {  // the side that moves first answers
            game = Game();
            own = word[0];
            last = -1;
            refused.clear();
        } else if (command == "move" && own) {  // the opponent's move
            game.play(read_move(word));
            refused.clear();
        } else if (command == "error" && own && last >= 0) {  // another move is expected
            game.undo(last);
            refused.push_back(last);
        } else if (command == "end") {
            own = 0;
        } else if (command == "quit") {
            break;
        } else {
            continue;  // unknown commands need no answer
        }
        if (own == game.to_move && !game.is_over()) {
            last = choose(game, refused);
            game.play(last);
            say("move " + write_move(last));
        }
    }
}
